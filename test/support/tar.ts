const BLOCK = 512;

/** A ustar archive of text files, as image layers are. */
export function writeTar(files: ReadonlyMap<string, string>): Buffer {
  const folders = new Set([...files.keys()].map((path) => path.slice(0, path.lastIndexOf('/') + 1)).filter(Boolean));
  const blocks = [...folders].map((path) => header(path, 0, '5'));
  for (const [path, text] of files) {
    const content = Buffer.from(text);
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    blocks.push(header(path, content.length, '0'), content, padding);
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(path: string, size: number, type: '0' | '5'): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write(type === '5' ? '0000755\0' : '0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\0', 257);
  block.write('00', 263);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
