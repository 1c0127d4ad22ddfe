/** One regular file of an archive. */
export interface TarFile {
  readonly path: string;
  readonly content: Buffer;
}

const BLOCK = 512;

/** The regular files of a tar archive (ustar, pax and GNU long names), paths without a leading `./` or `/`. */
export function readTar(archive: Buffer): TarFile[] {
  const files: TarFile[] = [];
  let longPath: string | undefined;
  for (let offset = 0; offset + BLOCK <= archive.length;) {
    const header = archive.subarray(offset, offset + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8);
    const type = text(header, 156, 1);
    const content = archive.subarray(offset + BLOCK, offset + BLOCK + size);
    if (Number.isNaN(size) || content.length < size) throw new Error('the archive is cut off or damaged');
    if (type === 'x') longPath = paxPath(content) ?? longPath;
    else if (type === 'L') longPath = text(content, 0, size);
    else {
      const path = (longPath ?? shortPath(header)).replace(/^(?:\.?\/)+/, '');
      if (type === '0' || type === '') files.push({ path, content });
      longPath = undefined;
    }
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function shortPath(header: Buffer): string {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : '';
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
}

/** Extended headers are lines of `<length> <key>=<value>`, where the length counts bytes. */
function paxPath(content: Buffer): string | undefined {
  for (let offset = 0; offset < content.length;) {
    const space = content.indexOf(' ', offset);
    const length = Number.parseInt(content.toString('utf8', offset, space), 10);
    if (space === -1 || !(length > 0)) return undefined;
    const record = content.toString('utf8', space + 1, offset + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    offset += length;
  }
  return undefined;
}

function text(buffer: Buffer, offset: number, length: number): string {
  const field = buffer.toString('utf8', offset, offset + length);
  const end = field.indexOf('\0');
  return end === -1 ? field : field.slice(0, end);
}
