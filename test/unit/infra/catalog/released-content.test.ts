import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeLock } from '../../../../components/catalog/lock.ts';
import { addVersion } from '../../../../components/catalog/release.ts';
import type { ImageReference } from '../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { releasedContent } from '../../../../infra/catalog/content.ts';
import { tinyBundle, tinyBundleFiles } from '../../../support/olm/tiny-bundle.ts';
import { withImage } from '../../../support/registry/image-server.ts';
import { textEntries, writeTar } from '../../../support/registry/tar.ts';

const IMAGE = 'docker.io/tytn/tiny:1.0.0';
const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('the content of a catalog with a lock', () => {
  let directory: string;
  const client = new RegistryClient();
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'released-'))));
  afterEach(() => rm(directory, { recursive: true }));
  after(() => client.close());

  async function write(change: (template: string) => string): Promise<string> {
    const file = join(directory, 'operator_catalog.yaml');
    const template = 'Schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles: []\n';
    const empty = { template, file, lock: { package: 'tiny', versions: [] } };
    const bundle = tinyBundle(IMAGE, { version: '1.0.0' });
    const state = addVersion(empty, { image: IMAGE, digest: DIGEST, bundle, streams: ['Stable'] });
    await writeFile(file, change(state.template));
    await writeFile(join(directory, 'catalog.lock.yaml'), writeLock(state.lock));
    return file;
  }

  it('names released digests, and asks no registry', async () => {
    const catalog = await releasedContent(await write((text) => text), client);
    assert.deepEqual(
      catalog.bundles.map(({ image }) => image),
      [`docker.io/tytn/tiny@${DIGEST}`],
    );
  });

  it('is refused when the template has lost a release', async () => {
    const file = await write((text) => text.replace(/ +- Image.*\n/, ''));
    await assert.rejects(
      releasedContent(file, client),
      /version 1\.0\.0 was released to Stable and is no longer listed/,
    );
  });
});

describe('the content of a catalog without a lock', () => {
  it('has the deprecations that stand beside its template', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'released-'));
    const client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
    const layer = gzipSync(await writeTar(textEntries(tinyBundleFiles({ version: '1.0.0' }))));
    const labels = { 'operators.operatorframework.io.bundle.package.v1': 'tiny' };
    try {
      const read = async ({ host, path }: ImageReference): Promise<void> => {
        const file = join(directory, 'template.yaml');
        const bundles = `{Bundles: [{Image: '${host}/${path}:1'}]}`;
        await writeFile(file, `Schema: olm.semver\nGenerateMajorChannels: true\nStable: ${bundles}\n`);
        const entries = '[{reference: {schema: olm.bundle, name: tiny.v1.0.0}, message: Leave it.}]';
        const deprecations = `schema: olm.deprecations\npackage: tiny\nentries: ${entries}\n`;
        await writeFile(join(directory, 'deprecations.yaml'), deprecations);
        const catalog = await releasedContent(file, client);
        assert.deepEqual(
          catalog.deprecations?.entries.map(({ message }) => message),
          ['Leave it.'],
        );
      };
      await withImage([layer], read, labels);
    } finally {
      client.close();
      await rm(directory, { recursive: true });
    }
  });
});
