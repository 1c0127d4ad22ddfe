import assert from 'node:assert/strict';
import v8 from 'node:v8';
import vm from 'node:vm';
import zlib from 'node:zlib';
import { pullFiles } from '../../../../components/registry/image-files.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { UNPACK_LIMITS, type UnpackLimits } from '../../../../components/registry/unpack-budget.ts';
import { withImage, type Layer } from '../../../support/image-server.ts';
import { tarHeader, writeTar } from '../../../support/tar.ts';

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

/** A layer with a file of so many MiB that nobody asks for. `beforeLast` is called when all but the last of them are sent. */
async function largeLayer(size: number, beforeLast: () => void): Promise<() => Iterable<Buffer>> {
  const header = await tarHeader('other/large', size * MIB);
  return function* chunks() {
    yield header;
    for (let sent = 1; sent < size; sent += 1) yield Buffer.alloc(MIB);
    beforeLast();
    yield Buffer.alloc(MIB);
  };
}

/** Collects what nobody holds, so that what is left is what somebody does. */
function garbageCollector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as () => void;
}

describe('unpacking an image', () => {
  it('holds no more of a layer twice as large', async function () {
    // After many other tests there is much garbage to collect.
    this.timeout(60_000);
    const collect = garbageCollector();
    const held = async (size: number): Promise<number> => {
      let bytes = 0;
      const layer = await largeLayer(size, () => {
        collect();
        bytes = process.memoryUsage().arrayBuffers;
      });
      await pull([layer]);
      return bytes / MIB;
    };
    const [once, twice] = [await held(8), await held(16)];
    assert.ok(twice < once + 4, `${once} MiB of 8, ${twice} MiB of 16`);
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
