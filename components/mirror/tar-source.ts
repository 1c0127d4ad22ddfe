import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../../packages/lib/error.ts';
import { listAt, objectsAt, textAt } from '../../packages/lib/json.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { formatReference, parseReference, type ImageReference } from '../registry/reference.ts';
import type { Manifest, StoredManifest } from '../registry/registry-client.ts';
import { RegistryError } from '../registry/registry-error.ts';
import { verified } from '../registry/verified.ts';
import { blobName, EXTRA, INDEX_FILE, REF_NAME, ROLE } from './layout.ts';
import type { BlobId, ImageSource } from './store.ts';
import { contentOf, readContent, tarFiles, type TarFile } from './tar-entries.ts';

/** An image that an archive lists. */
export interface ListedImage {
  readonly reference: ImageReference;
  readonly digest: string;
  readonly role: string | undefined;
}

/** Indexes and manifests are read into memory, and no longer ones. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** Reads images from an archive that a TarTarget has written, or another tool that writes image layouts. */
export class TarSource implements ImageSource {
  readonly images: readonly ListedImage[];
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #files: ReadonlyMap<string, TarFile>;

  private constructor(path: string, file: FileHandle, files: ReadonlyMap<string, TarFile>, index: unknown) {
    this.#path = path;
    this.#file = file;
    this.#files = files;
    this.images = objectsAt(index, 'manifests').flatMap((entry) => {
      const reference = parseReference(textAt(entry, 'annotations', REF_NAME));
      const role = textAt(entry, 'annotations', ROLE);
      return reference === undefined
        ? []
        : [{ reference, digest: textAt(entry, 'digest'), role: role === '' ? undefined : role }];
    });
  }

  static async open(path: string): Promise<TarSource> {
    const file = await open(path, 'r').catch((error: unknown) => {
      const remedy = 'Name an archive that fleet mirror has finished; an unfinished one is called .part.';
      throw new ProblemsError([{ object: path, path: '', message: `cannot be read: ${messageOf(error)}`, remedy }]);
    });
    try {
      const files = new Map((await tarFiles(file)).map((each) => [each.name, each]));
      const index = files.get(INDEX_FILE);
      const listed: unknown = index === undefined ? undefined : JSON.parse(await readText(file, index));
      if (listAt(listed, 'manifests').length > 0) return new TarSource(path, file, files, listed);
      const remedy = 'Write it with fleet mirror --to, whole.';
      throw new ProblemsError([
        { object: path, path: INDEX_FILE, message: 'lists no images: this is not a whole archive', remedy },
      ]);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Files that lie beside the images. */
  async extra(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const [name, entry] of this.#files) {
      if (name.startsWith(EXTRA)) found.set(name.slice(EXTRA.length), await readText(this.#file, entry));
    }
    return found;
  }

  async manifest(reference: ImageReference): Promise<StoredManifest> {
    const name = formatReference(reference);
    const listed = this.images.find((image) => formatReference(image.reference) === name);
    const digest = reference.digest ?? listed?.digest;
    const entry = digest === undefined ? undefined : this.#files.get(blobName(digest));
    if (entry === undefined) throw new RegistryError(reference, `${this.#path} does not have it`, 'name', 404);
    if (entry.size > MAX_TEXT_BYTES)
      throw new RegistryError(reference, `its manifest is longer than ${MAX_TEXT_BYTES} bytes`);
    const bytes = await buffer(this.#read(entry));
    const found = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    if (found !== digest) throw new RegistryError(reference, `${this.#path} has ${found} in its place`);
    return { digest: found, bytes, content: JSON.parse(bytes.toString('utf8')) as Manifest };
  }

  blob(reference: ImageReference, { digest, size }: BlobId): Promise<Readable> {
    const entry = this.#files.get(blobName(digest));
    if (entry === undefined)
      return Promise.reject(new RegistryError(reference, `${this.#path} lacks blob ${digest}`, 'name', 404));
    const failure = new RegistryError(
      reference,
      `in ${this.#path} the content of blob ${digest} does not match its digest`,
    );
    return Promise.resolve(verified(this.#read(entry), { digest, size }, failure));
  }

  /** They are listed as images of their own, by their tags. */
  referrers(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #read(entry: TarFile): Readable {
    return Readable.from(readContent(this.#file, entry));
  }
}

async function readText(file: FileHandle, entry: TarFile): Promise<string> {
  if (entry.size > MAX_TEXT_BYTES) {
    const remedy = 'Write the archive again.';
    throw new ProblemsError([
      { object: entry.name, path: '', message: `is longer than ${MAX_TEXT_BYTES} bytes`, remedy },
    ]);
  }
  const bytes = Buffer.alloc(entry.size);
  await file.read(bytes, 0, entry.size, contentOf(entry));
  return bytes.toString('utf8');
}
