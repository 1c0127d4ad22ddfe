import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  read(): Buffer;
}

const END_OF_DIRECTORY = 0x06054b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/** The files of a zip archive, without the extension for archives of more than 4 GB or 65535 files. */
export function readZip(archive: Buffer): ZipEntry[] {
  const end = endOfDirectory(archive);
  const count = archive.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('the directory of the zip archive is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const start = at;
    if (!name.endsWith('/')) entries.push({ name, read: () => contentOf(archive, start, name) });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

/** The directory is at the end, before a comment of unknown length. */
function endOfDirectory(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_SIZE - LONGEST_COMMENT);
  for (let at = archive.length - END_SIZE; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new Error('is not a zip archive, or is incomplete');
}

function contentOf(archive: Buffer, entry: number, name: string): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const content = archive.subarray(start, start + size);
  if (method === STORED) return content;
  if (method === DEFLATED) return inflateRawSync(content);
  throw new Error(`${name} is compressed by method ${method}, which is not supported`);
}
