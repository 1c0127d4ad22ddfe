import type { FileHandle } from 'node:fs/promises';

/** A file in an archive, and where its content is. */
export interface TarFile {
  readonly name: string;
  readonly size: number;
  /** Of its header; the content follows it. */
  readonly offset: number;
}

const BLOCK = 512;
/** Names, sizes and kinds, by their places in a header. */
const NAME = [0, 100] as const;
const SIZE = [124, 136] as const;
const CHECKSUM = [148, 156] as const;
const KIND = 156;
const REGULAR = ['0', '\0'];

export const contentOf = ({ offset }: TarFile): number => offset + BLOCK;

/** What is read at a time. */
const CHUNK = 1024 * 1024;

/** The content of a file, piece by piece. A stream of Node's would leave a listener on the archive for each file. */
export async function* readContent(archive: FileHandle, entry: TarFile): AsyncGenerator<Buffer> {
  const end = contentOf(entry) + entry.size;
  for (let at = contentOf(entry); at < end;) {
    const { buffer, bytesRead } = await archive.read(Buffer.alloc(Math.min(CHUNK, end - at)), 0, null, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Where the next header is. */
export function endOf({ offset, size }: TarFile): number {
  return offset + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
}

/**
 * The files of an archive, in order, found by their headers alone: tar-stream would read all content to get to the next header. It ends
 * where the archive ends or stops making sense, as one does whose writer was killed.
 */
export async function tarFiles(file: FileHandle): Promise<TarFile[]> {
  const { size: length } = await file.stat();
  const found: TarFile[] = [];
  const header = Buffer.alloc(BLOCK);
  for (let offset = 0; offset + BLOCK <= length;) {
    await file.read(header, 0, BLOCK, offset);
    const entry = readHeader(header, offset);
    if (entry === undefined || endOf(entry) > length) return found;
    found.push(entry);
    offset = endOf(entry);
  }
  return found;
}

function readHeader(header: Buffer, offset: number): TarFile | undefined {
  if (!REGULAR.includes(String.fromCharCode(header[KIND] ?? 0)) || !hasRightSum(header)) return undefined;
  const name = header.toString('latin1', ...NAME).replace(/\0.*$/s, '');
  const size = readSize(header.subarray(...SIZE));
  return name === '' || size === undefined ? undefined : { name, size, offset };
}

/** Octal, or binary for what is too large for that. */
function readSize(field: Buffer): number | undefined {
  if (field[0] === 0x80) return field.readUIntBE(6, 6);
  const octal = field.toString('latin1').replace(/[\0 ]+$/, '');
  return /^[0-7]+$/.test(octal) ? Number.parseInt(octal, 8) : undefined;
}

function hasRightSum(header: Buffer): boolean {
  return Number.parseInt(header.toString('latin1', ...CHECKSUM), 8) === sumOf(header);
}

/** The sum of a header's bytes, its own field taken for spaces. */
function sumOf(header: Buffer): number {
  const [start, end] = CHECKSUM;
  return header.reduce((total, byte, index) => total + (index >= start && index < end ? 0x20 : byte), 0);
}

/** The header of a file of this name and size, owned by nobody and dated 1970, so that the same images make the same archive. */
export function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, NAME[0], 'latin1');
  header.write('0000644\0' + '0000000\0'.repeat(2), NAME[1], 'latin1');
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, '0')}\0`, SIZE[0], 'latin1');
  else {
    header[SIZE[0]] = 0x80;
    header.writeUIntBE(size, SIZE[0] + 6, 6);
  }
  header.write('00000000000\0', SIZE[1], 'latin1');
  header.write('0', KIND, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM[0], 'latin1');
  return header;
}

/** Fills the last block of a file. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);
