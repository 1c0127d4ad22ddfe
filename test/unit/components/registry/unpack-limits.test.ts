import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { pullFiles } from '../../../../components/registry/image-files.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { UNPACK_LIMITS, type UnpackLimits } from '../../../../components/registry/unpack-budget.ts';
import { withImage, type Layer } from '../../../support/registry/image-server.ts';
import { tarHeader, writeTar } from '../../../support/registry/tar.ts';

const MIB = 2 ** 20;

async function pull(layers: readonly Layer[], limits: Partial<UnpackLimits> = {}): Promise<void> {
  const client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
  try {
    await withImage(layers, async (reference) => {
      await pullFiles(client, reference, ['manifests/'], { ...UNPACK_LIMITS, ...limits });
    });
  } finally {
    client.close();
  }
}

/** A layer with a file of so many MiB that nobody asks for. */
async function largeLayer(size: number): Promise<() => Iterable<Buffer>> {
  const header = await tarHeader('other/large', size * MIB);
  const part = Buffer.alloc(MIB);
  return function* chunks() {
    yield header;
    for (let sent = 0; sent < size; sent += 1) yield part;
  };
}

/** The most memory that a process of its own needs to pull an image. */
async function peakOfPull(layer: Layer): Promise<number> {
  const program = fileURLToPath(new URL('../../../support/registry/pull-peak.ts', import.meta.url));
  let peak = NaN;
  await withImage([layer], async ({ host }) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, host]);
    peak = Number(stdout);
  });
  return peak;
}

describe('unpacking an image', () => {
  it('holds little of a large layer', async function () {
    // It starts two processes.
    this.timeout(60_000);
    const [small, large] = [await peakOfPull(await largeLayer(1)), await peakOfPull(await largeLayer(250))];
    assert.ok(large < small + 200, `${small} MiB for a layer of 1 MiB, ${large} MiB for one of 250 MiB`);
  });

  it('stops where a layer, or all layers together, unpack to more than they may', async () => {
    const layer = zlib.gzipSync(await writeTar([{ name: 'other/x', content: Buffer.alloc(3 * MIB) }]));
    assert.ok(layer.length < 10_000);
    await pull([layer, layer]);
    for (const packed of [layer, zlib.zstdCompressSync(zlib.gunzipSync(layer))]) {
      await assert.rejects(pull([packed], { layerBytes: 2 * MIB }), {
        name: 'ProblemsError',
        message:
          /^127\.0\.0\.1:\d+\/team\/image:1: has a layer that unpacks to more than 2097152 bytes\. Bundles and catalogs are /,
      });
    }
    await assert.rejects(pull([layer, layer], { imageBytes: 5 * MIB }), /unpacks to more than 5242880 bytes/);
  });

  it('stops where there are too many layers, files, or bytes to hold', async () => {
    const names = Array.from({ length: 20 }, (_, index) => ({ name: `other/${'n'.repeat(50)}${index}` }));
    const many = await writeTar(names);
    await assert.rejects(pull([many, many, many], { layers: 2 }), /has more than 2 layers/);
    await assert.rejects(pull([many, many], { entries: 30 }), /has more than 30 files/);
    await assert.rejects(pull([many], { heldBytes: 1000 }), /has more than 1000 bytes of text and names/);
    const text = await writeTar([{ name: 'manifests/a', content: 'x'.repeat(1000) }]);
    await assert.rejects(pull([text], { heldBytes: 1000 }), /has more than 1000 bytes of text and names/);
  });

  it('refuses names and links that are longer than Linux takes', async () => {
    const long = 'n/'.repeat(2500);
    for (const entry of [{ name: `${long}n` }, { name: 'other', type: 'symlink', linkname: long }] as const) {
      await assert.rejects(
        writeTar([entry]).then((layer) => pull([layer])),
        /is a name of more than 4096 characters/,
      );
    }
  });
});
