import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, open, rename, stat, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { codeOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { formatReference, type ImageReference } from '../registry/reference.ts';
import type { Descriptor, StoredManifest } from '../registry/registry-client.ts';
import {
  blobName,
  digestOfName,
  EXTRA,
  INDEX_FILE,
  LAYOUT_FILE,
  LAYOUT_VERSION,
  REF_NAME,
  ROLE,
  type LayoutIndex,
} from './layout.ts';
import { mediaTypeOf, type BlobId, type ImageTarget } from './store.ts';
import { TarSource } from './tar-source.ts';
import { END_OF_ARCHIVE, endOf, padding, readContent, tarFiles, tarHeader, type TarFile } from './tar-entries.ts';

/** What Node says when there is no room: on the disk, in a quota, or in what a process may write. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * Writes copies into an archive, which has its name only when it is complete. Until then it is called `.part`, and is continued by the next
 * run: every blob that is there whole stays, once it was read and is what its digest says. A finished archive is continued in a copy, and
 * stays as it is until the new one is finished.
 */
export class TarTarget implements ImageTarget {
  readonly parallel = 1;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #blobs: Map<string, number>;
  readonly #roots = new Map<string, Descriptor>();
  #position: number;

  private constructor(path: string, file: FileHandle, kept: readonly TarFile[]) {
    this.#path = path;
    this.#file = file;
    this.#blobs = new Map(kept.map(({ name, size }) => [digestOfName(name) ?? '', size]));
    this.#position = kept.map(endOf).at(-1) ?? 0;
  }

  static async open(path: string): Promise<TarTarget> {
    const part = partOf(path);
    if (existsSync(path)) await refuseForeign(path);
    if (existsSync(path) && !existsSync(part)) await copyWhole(path, part);
    const file = await open(part, existsSync(part) ? 'r+' : 'w+');
    const kept = await wholeBlobs(file);
    const target = new TarTarget(path, file, kept);
    await file.truncate(target.#position);
    return target;
  }

  /** An archive has each blob once, whichever image it is of. */
  hasBlob(_reference: ImageReference, { digest }: BlobId): Promise<boolean> {
    return Promise.resolve(this.#blobs.has(digest));
  }

  async putBlob(_reference: ImageReference, { digest, size }: BlobId, content: Readable): Promise<void> {
    if (!this.#blobs.has(digest)) await this.#write(blobName(digest), size, content);
    this.#blobs.set(digest, size);
  }

  async putManifest(reference: ImageReference, manifest: StoredManifest): Promise<void> {
    const { digest, bytes } = manifest;
    if (!this.#blobs.has(digest)) await this.#write(blobName(digest), bytes.length, [bytes]);
    this.#blobs.set(digest, bytes.length);
    if (reference.tag !== undefined) this.name(reference, manifest);
  }

  /** Lists an image in the archive, under its name and for what it is for. */
  name(reference: ImageReference, manifest: StoredManifest, role?: string): void {
    const name = formatReference(reference);
    const annotations = { [REF_NAME]: name, ...(role === undefined ? {} : { [ROLE]: role }) };
    const { digest, bytes } = manifest;
    this.#roots.set(name, { mediaType: mediaTypeOf(manifest), digest, size: bytes.length, annotations });
  }

  /** Writes what says which images there are, and gives the archive its name. */
  async finish(extra: ReadonlyMap<string, string> = new Map()): Promise<void> {
    const manifests = [...this.#roots.values()];
    const index: LayoutIndex = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests };
    const files = [
      ...[...extra].map(([name, text]) => [`${EXTRA}${name}`, text] as const),
      [INDEX_FILE, JSON.stringify(index)] as const,
      [LAYOUT_FILE, LAYOUT_VERSION] as const,
    ];
    for (const [name, text] of files) {
      const bytes = Buffer.from(text);
      await this.#write(name, bytes.length, [bytes]);
    }
    await this.#append(this.#position, END_OF_ARCHIVE);
    await this.#file.sync();
    await this.#file.close();
    await rename(partOf(this.#path), this.#path);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** A file that did not arrive whole leaves nothing behind. */
  async #write(name: string, size: number, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    const start = this.#position;
    let at = start;
    try {
      at = await this.#append(at, tarHeader(name, size));
      for await (const chunk of content) at = await this.#append(at, chunk);
      this.#position = await this.#append(at, padding(size));
    } catch (error) {
      await this.#file.truncate(start);
      throw NO_ROOM.includes(codeOf(error)) ? noRoom(this.#path, at) : error;
    }
  }

  async #append(at: number, bytes: Buffer): Promise<number> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, at + written);
      written += bytesWritten;
    }
    return at + written;
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

/** It will be replaced, so it has to be what this has written: others write image layouts, too, but give images no roles. */
async function refuseForeign(path: string): Promise<void> {
  const source = await TarSource.open(path).catch(() => undefined);
  await source?.close();
  if (source?.images.some(({ role }) => role !== undefined) === true) return;
  const message = 'is there, and is not an archive that fleet mirror has finished';
  const remedy = 'Name another file, or remove this one.';
  throw new ProblemsError([{ object: path, path: '', message, remedy }]);
}

/** A copy that was cut short is continued like any other unfinished archive. */
async function copyWhole(path: string, part: string): Promise<void> {
  try {
    await copyFile(path, part, constants.COPYFILE_FICLONE);
  } catch (error) {
    throw NO_ROOM.includes(codeOf(error)) ? noRoom(path, (await stat(path)).size) : error;
  }
}

function noRoom(path: string, bytes: number): ProblemsError {
  const message = `there is no more room: the archive has ${bytes} bytes`;
  const remedy =
    'Free some, or move the .part file to where there is more, and run the same command again: it goes on where it was.';
  return new ProblemsError([{ object: path, path: '', message, remedy }]);
}

/** The blobs from the beginning of an archive that are what their digests say. What follows the first that is not is written again. */
async function wholeBlobs(file: FileHandle): Promise<readonly TarFile[]> {
  const whole: TarFile[] = [];
  for (const entry of await tarFiles(file)) {
    if (digestOfName(entry.name) !== (await digestAt(file, entry))) break;
    whole.push(entry);
  }
  return whole;
}

async function digestAt(file: FileHandle, entry: TarFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readContent(file, entry)) hash.update(chunk);
  return `sha256:${hash.digest('hex')}`;
}
