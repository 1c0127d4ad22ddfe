import assert from 'node:assert/strict';
import { byDigest, formatReference, isByDigest, parseReference } from '../../../../components/registry/reference.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('a canonical image name', () => {
  for (const name of [
    'docker.io/tytn/operator-bundle:0.1.0',
    'registry.example.com:5000/team/nested/bundle:1.0.0-rc.1',
    'localhost:5000/bundle:x',
    'localhost/bundle:x',
    '10.0.0.1:5000/a__b/c-d.e:v1',
    `quay.io/a/b@${DIGEST}`,
    `quay.io/a/b:1.0.0@${DIGEST}`,
  ]) {
    it(`is read and written back: ${name}`, () => {
      const reference = parseReference(name);
      assert.ok(reference);
      assert.equal(formatReference(reference), name);
    });
  }

  for (const name of [
    '',
    'tytn/operator-bundle:0.1.0',
    'operator-bundle:1',
    'docker.io/tytn/operator-bundle',
    'docker.io/Tytn/bundle:1',
    'docker.io/a/b:1:2',
    'docker.io/a/b:1 2',
    'docker.io//b:1',
    `docker.io/a/b@${DIGEST.slice(1)}`,
    'https://docker.io/a/b:1',
  ]) {
    it(`is not: ${JSON.stringify(name)}`, () => assert.equal(parseReference(name), undefined));
  }

  it('is by digest or not, also where it is not canonical', () => {
    assert.ok([`docker.io/a/b@${DIGEST}`, `docker.io/a/b:1@${DIGEST}`, `b@${DIGEST}`].every(isByDigest));
    assert.ok(!['docker.io/a/b:1', `docker.io/a/b@${DIGEST.slice(1)}`, `docker.io/a/b@${DIGEST}0`].some(isByDigest));
  });

  it('loses its tag when it is pinned to a digest', () => {
    const reference = parseReference('docker.io/tytn/operator-bundle:0.1.0');
    assert.ok(reference);
    assert.equal(byDigest(reference, DIGEST), `docker.io/tytn/operator-bundle@${DIGEST}`);
  });
});
