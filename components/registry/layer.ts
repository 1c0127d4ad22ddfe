import { posix } from 'node:path';
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import type { UnpackBudget } from './unpack-budget.ts';
import { boundedName, UnpackError } from './unpack-error.ts';
import { ZstdFrames } from './zstd-frames.ts';

/** One entry of a layer. */
export interface LayerEntry {
  /** As in the archive, for messages. */
  readonly name: string;
  /** From the root of the image, without `.` and `..`; empty for the root itself. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'hard link' | 'special';
  /** What a link leads to; empty for all others. */
  readonly linkname: string;
  /** Only for a wanted file. */
  readonly content?: string;
}

/** The entries of a layer in their order, unpacked as it arrives. Only files that `isWanted` names keep their content. */
export async function* layerEntries(
  blob: Readable,
  isWanted: (path: string) => boolean,
  budget: UnpackBudget,
): AsyncGenerator<LayerEntry> {
  const { stream, decompress } = await detectCompression(blob);
  const archive = extract();
  // The library's streams are not Node's classes but behave like them. Errors reach the loop, so the callback ignores them.
  pipeline(stream, decompress, counted(budget), archive as unknown as NodeJS.WritableStream, () => undefined);
  for await (const entry of archive) {
    const { header } = entry;
    const read = { name: header.name, path: cleanPath(header.name), type: typeOf(header), linkname: linkOf(header) };
    budget.addEntry(read.name.length + read.linkname.length);
    if (read.type === 'file' && isWanted(read.path)) {
      yield { ...read, content: await readText(entry as AsyncIterable<Buffer>, budget) };
    } else {
      entry.resume();
      yield read;
    }
  }
}

/** Cleans a path like Go's filepath.Clean. Refuses one that leads out of the image, which OLM would put somewhere inside. */
function cleanPath(name: string): string {
  const path = posix.normalize(boundedName(name)).replace(/^\/+|\/+$/g, '');
  if (path === '..' || path.startsWith('../')) throw new UnpackError(name, 'leads out of the image', 'archive');
  return path === '.' ? '' : path;
}

function typeOf({ name, type, size, pax }: Header): LayerEntry['type'] {
  const known = TYPES.get(type);
  const sparse = Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'));
  if (known === undefined || sparse) throw new UnpackError(name, 'is of a type that is not supported', 'archive');
  // Go ignores the size of all other types, and would read the content as the next entry.
  if (known !== 'file' && size !== 0) throw new UnpackError(name, `is a ${known} with content`, 'archive');
  return known;
}

const TYPES: ReadonlyMap<string, LayerEntry['type']> = new Map([
  ['file', 'file'],
  ['directory', 'directory'],
  ['symlink', 'symlink'],
  ['link', 'hard link'],
  ['character-device', 'special'],
  ['block-device', 'special'],
  ['fifo', 'special'],
]);

/** The library's types do not say that only links have a linkname. */
function linkOf({ linkname }: { linkname: string | null }): string {
  return boundedName(linkname ?? '');
}

async function readText(stream: AsyncIterable<Buffer>, budget: UnpackBudget): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    budget.hold(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function counted(budget: UnpackBudget): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        budget.unpack(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Detects the compression from a layer's first bytes, as OLM does, not from the media type. */
async function detectCompression(blob: Readable): Promise<{ stream: Readable; decompress: Transform }> {
  const chunks = blob.iterator() as AsyncIterableIterator<Buffer>;
  let head = Buffer.alloc(0);
  while (head.length < ZSTD.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return { stream: Readable.from(startingWith(head, chunks)), decompress: decompressor(head) };
}

async function* startingWith(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

function decompressor(head: Buffer): Transform {
  if (head.subarray(0, GZIP.length).equals(GZIP)) return zlib.createGunzip();
  return head.subarray(0, ZSTD.length).equals(ZSTD) ? new ZstdFrames() : new PassThrough();
}
