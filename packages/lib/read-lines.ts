/** What stands for a line that is longer than allowed: none of it is kept. */
export const TOO_LONG = Symbol('too long');

const NEWLINE = 0x0a;

/** A piece keeps some hundred bytes beside its own, and the whole chunk that it is of: so many are joined before their line ends. */
const MOST_PIECES = 1024;

/**
 * The lines of a stream, never holding more of them than one line may be long. A line that is too long is reported as soon as it is, since it may
 * never end. The last one may end without a newline.
 */
export async function* readLines(
  input: AsyncIterable<Buffer>,
  mostBytes: number,
): AsyncGenerator<Buffer | typeof TOO_LONG> {
  /** Pieces that were joined, which are before the others. Each is joined once only: a long line takes no longer than it is long. */
  let joined: Buffer[] = [];
  let pieces: Buffer[] = [];
  let bytes = 0;
  /** Takes a part of a line, and tells whether the line has just become too long. */
  const exceeds = (piece: Buffer): boolean => {
    const fitted = bytes <= mostBytes;
    bytes += piece.length;
    if (piece.length > 0) pieces.push(piece);
    if (bytes > mostBytes) {
      joined = [];
      pieces = [];
    }
    if (pieces.length >= MOST_PIECES) {
      joined.push(Buffer.concat(pieces));
      pieces = [];
    }
    return fitted && bytes > mostBytes;
  };
  const line = (): Buffer => Buffer.concat([...joined, ...pieces]);
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (exceeds(chunk.subarray(start, end))) yield TOO_LONG;
      else if (bytes <= mostBytes) yield line();
      joined = [];
      pieces = [];
      bytes = 0;
      start = end + 1;
    }
    if (exceeds(chunk.subarray(start))) yield TOO_LONG;
  }
  if (bytes > 0 && bytes <= mostBytes) yield line();
}
