import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { ZstdFrames } from '../../../../components/registry/zstd-frames.ts';

/** Text that a frame makes much smaller, and that takes many chunks to unpack. */
const PARTS = Array.from({ length: 4 }, (_, part) => Buffer.alloc(300_000, `part ${part} `));
const FRAMES = PARTS.map((part) => zlib.zstdCompressSync(part));

async function unpack(packed: Buffer, chunkSize: number): Promise<Buffer> {
  const chunks = Array.from({ length: Math.ceil(packed.length / chunkSize) }, (_, index) =>
    packed.subarray(index * chunkSize, (index + 1) * chunkSize),
  );
  const frames = new ZstdFrames();
  const [unpacked] = await Promise.all([buffer(frames), pipeline(Readable.from(chunks), frames)]);
  return unpacked;
}

describe('zstd in frames', () => {
  it('is unpacked whole, wherever chunks of it begin and end', async () => {
    const packed = Buffer.concat(FRAMES);
    for (const chunkSize of [1, 7, FRAMES[0]?.length ?? 0, packed.length]) {
      assert.ok((await unpack(packed, chunkSize)).equals(Buffer.concat(PARTS)), `chunks of ${chunkSize} bytes`);
    }
  });

  it('is refused when it is cut off, or followed by something else', async () => {
    const packed = Buffer.concat(FRAMES);
    await assert.rejects(unpack(packed.subarray(0, -3), 20), /unexpected end of file/);
    await assert.rejects(unpack(Buffer.concat([packed, Buffer.from('garbage')]), packed.length + 7), /Unknown frame/);
  });
});
