import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLock } from '../../../../components/catalog/lock.ts';
import { addVersion } from '../../../../components/catalog/release.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { releasedContent } from '../../../../infra/catalog/content.ts';
import { tinyBundle } from '../../../support/olm/tiny-bundle.ts';

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
