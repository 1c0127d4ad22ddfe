import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { serves, servesOf } from '../../../../components/bundle/serves.ts';
import type { LockedVersion } from '../../../../components/catalog/lock.ts';
import { absolutePath } from '../../../../maintenance/generated.ts';
import { operators } from '../../../../maintenance/versions/matrix.ts';
import { PINNED_FILES, withPins } from '../../../../maintenance/versions/pins.ts';
import { parseVersions, readVersions, type Versions } from '../../../../maintenance/versions/source.ts';
import { sampleBundle } from '../../../support/olm/sample-catalog.ts';

const SAMPLE = Object.entries(readVersions());

describe('versions.yaml', () => {
  it('is refused with everything that is wrong with it', () => {
    const text = SAMPLE.map(([key, value]) => `${key}: '${key === 'keda' ? 'latest' : value}'\n`).join('');
    assert.throws(() => parseVersions(`${text}kede: '1.2.3'\n`), {
      message:
        /^versions\.yaml: kede: is not known\. Known are .*\nversions\.yaml: keda: is not a version \(got "latest"\)\. Write it as text, such as '1\.2\.3'\.$/,
    });
    assert.throws(
      () => parseVersions('nodeOldest: 22.2'),
      /nodeOldest: is not a version \(got 22\.2\)/,
      'not a number',
    );
  });

  it('says what each file that names a version has, all of them and both ways', async () => {
    const others = Object.fromEntries(
      SAMPLE.map(([key, value]) => [key, key === 'olmManifest' ? 'e'.repeat(64) : `${value.split('.')[0] ?? ''}.77.7`]),
    ) as Versions;
    for (const file of PINNED_FILES) {
      const text = await readFile(absolutePath(file), 'utf8');
      const changed = withPins(file, text, others);
      assert.notEqual(changed, text, file);
      assert.equal(withPins(file, changed, readVersions()), text, file);
    }
  });

  it('misses a place that is gone', () => {
    assert.throws(
      () => withPins('controller/Dockerfile', 'FROM scratch', readVersions()),
      /has no version behind Node/,
    );
  });
});

describe('the matrix of operators', () => {
  function released(version: string): LockedVersion {
    const bundle = sampleBundle(version);
    return { version, image: bundle.image, digest: '', streams: ['Stable'], bundle };
  }

  it('has the newest release of each major, with what its bundle says that it serves', () => {
    const shown = operators(['3.0.0', '3.10.0', '3.9.0', '4.0.0'].map(released), '3.10.0');
    assert.deepEqual(
      shown.map(({ version, isReleased }) => [version, isReleased]),
      [
        ['3.10.0', true],
        ['4.0.0', true],
      ],
    );
    for (const operator of shown) assert.deepEqual(operator.serves, serves());
  });

  it('has this checkout where it is newer', () => {
    assert.deepEqual(
      operators([released('3.0.0')], '3.1.0').map(({ version, isReleased }) => [version, isReleased]),
      [['3.1.0', false]],
    );
    assert.deepEqual(
      operators([released('3.0.0')], '4.0.0').map(({ version }) => version),
      ['3.0.0', '4.0.0'],
    );
  });

  it('has nothing to say of a bundle that says nothing', () => {
    assert.deepEqual(servesOf({ ...sampleBundle('3.0.0'), properties: [] }), { apiVersions: [], revisions: {} });
  });
});
