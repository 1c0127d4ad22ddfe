import assert from 'node:assert/strict';
import type { FbcBundle } from '../../../../../components/catalog/fbc.ts';
import type { AskableVersion } from '../../../../../components/impact/upgrade/ask-version.ts';
import { readReleasedVersion } from '../../../../../components/impact/upgrade/read-version.ts';
import { pinImage } from '../../../../../components/registry/pin-image.ts';
import { formatReference } from '../../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../../components/registry/registry-client.ts';
import { withImage } from '../../../../support/registry/image-server.ts';
import { textEntries, writeTar } from '../../../../support/registry/tar.ts';

const bundleOf = (image: string): FbcBundle => ({
  schema: 'olm.bundle',
  name: 'inference-stack-operator.v1.3.0',
  package: 'inference-stack-operator',
  image: 'registry.example/bundle@sha256:0',
  properties: [{ type: 'olm.package', value: { packageName: 'inference-stack-operator', version: '1.3.0' } }],
  relatedImages: [{ name: 'controller', image }],
});

/** Reads a version from an image with these files, which the bundle names as given. */
async function read(
  files: Readonly<Record<string, string>>,
  named: (byDigest: string) => string = (image) => image,
): Promise<AskableVersion> {
  const client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
  try {
    let version: AskableVersion | undefined;
    await withImage([await writeTar(textEntries(new Map(Object.entries(files))))], async (reference) => {
      const image = await pinImage(client, formatReference(reference));
      version = await readReleasedVersion(client, bundleOf(named(image)));
    });
    assert.ok(version !== undefined);
    return version;
  } finally {
    client.close();
  }
}

describe('the code of a released version', () => {
  it('is what the image has that its bundle names by digest', async () => {
    assert.deepEqual(await read({ 'app/controller.cjs': 'code', 'usr/lib/x': 'other' }), {
      name: 'operator 1.3.0',
      version: '1.3.0',
      source: 'code',
    });
  });

  it('is not taken from a tag', async () => {
    await assert.rejects(
      read({ 'app/controller.cjs': 'code' }, (image) => `${image.split('@')[0] ?? ''}:1`),
      /inference-stack-operator\.v1\.3\.0: names no image of an operator by digest/,
    );
  });

  it('is not taken from an image of another digest', async () => {
    const other = (image: string): string => `${image.split('@')[0] ?? ''}@sha256:${'1'.repeat(64)}`;
    await assert.rejects(read({ 'app/controller.cjs': 'code' }, other), /the registry answered with sha256:/);
  });

  it('is missing in an image of something else', async () => {
    await assert.rejects(read({ 'app/main.js': 'code' }), /has no app\/controller\.cjs\. Its impact is not known/);
  });
});
