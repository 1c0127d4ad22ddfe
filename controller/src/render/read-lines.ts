/** What stands for a line that is longer than allowed: none of it is kept. */
export const TOO_LONG = Symbol('too long');

const NEWLINE = 0x0a;

/** The lines of a stream, never holding more of them than one line may be long. The last one may end without a newline. */
export async function* readLines(
  input: AsyncIterable<Buffer>,
  mostBytes: number,
): AsyncGenerator<Buffer | typeof TOO_LONG> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes > mostBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const line = (): Buffer | typeof TOO_LONG => {
    const whole = bytes > mostBytes ? TOO_LONG : Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
    return whole;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      yield line();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (bytes > 0) yield line();
}
