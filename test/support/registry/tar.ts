import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** What a layer has under one name; a regular file by default. */
export interface TarEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly type?: 'file' | 'directory' | 'symlink' | 'link' | 'fifo' | 'contiguous-file';
  /** What a link leads to. */
  readonly linkname?: string;
  /** Fields of an extended header. */
  readonly pax?: Readonly<Record<string, string>>;
}

/** The time of all entries, so that the same entries make the same archive. */
const EPOCH = new Date(0);

/** A tar archive, as image layers are. */
export async function writeTar(entries: readonly TarEntry[]): Promise<Buffer> {
  const archive = pack();
  for (const { content = '', ...header } of entries) archive.entry({ ...header, mtime: EPOCH }, content);
  archive.finalize();
  return buffer(archive);
}

/** The header of a file whose content follows, for files that are too large to keep in memory. */
export async function tarHeader(name: string, size: number): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name, size, mtime: EPOCH }).on('error', () => undefined);
  for await (const chunk of archive) return chunk as Buffer;
  throw new Error('nothing was written');
}

/** Text files and the folders that they are in, in the order in which builders write them. */
export function textEntries(files: ReadonlyMap<string, string>): TarEntry[] {
  const folders = new Set([...files.keys()].map((path) => path.slice(0, path.lastIndexOf('/') + 1)).filter(Boolean));
  return [
    ...[...folders].map((name): TarEntry => ({ name, type: 'directory' })),
    ...[...files].map(([name, content]) => ({ name, content })),
  ];
}
