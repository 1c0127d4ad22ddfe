import assert from 'node:assert/strict';
import { copyImage } from '../../../../components/mirror/copy-image.ts';
import { parsePlace, placed, RegistryTarget } from '../../../../components/mirror/registry-target.ts';
import { formatReference, parseReference, type ImageReference } from '../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { RegistryWriter } from '../../../../components/registry/registry-writer.ts';
import { digestOf, MemoryRegistry } from '../../../support/registry/memory-registry.ts';
import { pushImage } from '../../../support/registry/push-image.ts';

const INDEX = 'application/vnd.oci.image.index.v1+json';

function reference(name: string): ImageReference {
  const parsed = parseReference(name);
  assert.ok(parsed);
  return parsed;
}

describe('copying an image', () => {
  let first: MemoryRegistry;
  let second: MemoryRegistry;
  let source: RegistryClient;
  let writer: RegistryWriter;
  const counted = { copied: 0, there: 0 };
  const report = { count: (bytes: number, how: 'copied' | 'there') => void (counted[how] += bytes) };

  beforeEach(async () => {
    [first, second] = await Promise.all([MemoryRegistry.start(), MemoryRegistry.start()]);
    const options = { plainHttp: true, credentials: () => Promise.resolve(undefined) };
    source = new RegistryClient(options);
    writer = new RegistryWriter(options);
    Object.assign(counted, { copied: 0, there: 0 });
  });
  afterEach(async () => {
    source.close();
    writer.close();
    await Promise.all([first.stop(), second.stop()]);
  });

  const target = (): RegistryTarget => new RegistryTarget({ host: second.host, path: 'site' }, writer);

  it('keeps path, tag and digest, below another place', async () => {
    const name = `${first.host}/team/image`;
    const digest = await pushImage(`${name}:1`, { files: new Map([['a', 'a']]), labels: {} });
    const manifest = await copyImage({ source, target: target(), report }, reference(`${name}:1`));
    assert.equal(manifest.digest, digest);
    assert.deepEqual([...second.manifests.keys()], [`site/team/image@${digest}`, 'site/team/image:1']);
    assert.ok(counted.copied > 0 && counted.there === 0);
    await copyImage({ source, target: target(), report }, reference(`${name}:1`));
    assert.equal(counted.there, counted.copied);
  });

  it('brings what the list of referrers has, and keeps that list under its tag', async () => {
    const name = `${first.host}/team/image`;
    const digest = await pushImage(`${name}:1`, { files: new Map([['a', 'a']]), labels: {} });
    const attached = await pushImage(`${name}:bundle`, { files: new Map([['b', 'b']]), labels: {} });
    const list = JSON.stringify({
      schemaVersion: 2,
      mediaType: INDEX,
      manifests: [{ mediaType: 'x', digest: attached, size: 1 }],
    });
    first.intercept = (request, response) => {
      if (request.url !== `/v2/team/image/referrers/${digest}`) return false;
      response.writeHead(200, { 'content-type': INDEX }).end(list);
      return true;
    };
    await copyImage({ source, target: target(), report }, reference(`${name}@${digest}`));
    assert.ok(second.manifests.has(`site/team/image@${attached}`));
    assert.equal(second.manifests.get(`site/team/image:${digest.replace(':', '-')}`)?.content.toString(), list);
  });

  it('refuses indexes within indexes without end', async () => {
    const path = 'team/image';
    let inner = await pushImage(`${first.host}/${path}:1`, { files: new Map(), labels: {} });
    for (let depth = 0; depth < 5; depth += 1) {
      const content = Buffer.from(
        JSON.stringify({ mediaType: INDEX, manifests: [{ mediaType: INDEX, digest: inner, size: 1 }] }),
      );
      inner = digestOf(content);
      first.manifests.set(`${path}@${inner}`, { type: INDEX, content });
    }
    const copied = copyImage({ source, target: target(), report }, reference(`${first.host}/${path}@${inner}`));
    await assert.rejects(copied, /has indexes within indexes without end/);
  });

  it('says that a registry has no room, in its own words', async () => {
    const name = `${first.host}/team/image`;
    await pushImage(`${name}:1`, { files: new Map([['a', 'a']]), labels: {} });
    second.intercept = (request, response) => {
      if (request.method !== 'PUT') return false;
      request.resume();
      response
        .writeHead(500)
        .end(JSON.stringify({ errors: [{ code: 'UNKNOWN', message: 'no space left on device' }] }));
      return true;
    };
    await assert.rejects(copyImage({ source, target: target(), report }, reference(`${name}:1`)), {
      message: `${second.host}/site/team/image:1: cannot be pushed: 500 UNKNOWN no space left on device. Look at what the registry says, and at the room on its disk; then run the same command again, which goes on where it was.`,
    });
  });
});

describe('the place of copies', () => {
  it('is a registry with an optional path', () => {
    assert.deepEqual(parsePlace('registry.example.com:5000/a/b'), { host: 'registry.example.com:5000', path: 'a/b' });
    assert.deepEqual(parsePlace('localhost'), { host: 'localhost', path: '' });
    for (const text of ['mirror', 'mirror/a', 'https://registry.example.com', 'registry.example.com/', '']) {
      assert.equal(parsePlace(text), undefined, text);
    }
  });

  it("keeps the folder of Docker Hub's own images", () => {
    const place = { host: 'registry.example.com', path: 'm' };
    assert.equal(
      formatReference(placed(place, reference('docker.io/busybox:1'))),
      'registry.example.com/m/library/busybox:1',
    );
    assert.equal(formatReference(placed(place, reference('docker.io/tytn/a:1'))), 'registry.example.com/m/tytn/a:1');
  });
});
