import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readLines, TOO_LONG } from '../../../../packages/lib/read-lines.ts';

async function linesOf(chunks: readonly string[], mostBytes = 1000): Promise<(string | typeof TOO_LONG)[]> {
  const lines: (string | typeof TOO_LONG)[] = [];
  for await (const line of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), mostBytes)) {
    lines.push(line === TOO_LONG ? line : line.toString());
  }
  return lines;
}

describe('lines of a stream', () => {
  it('are the same wherever the stream is cut', async () => {
    const text = fc.array(fc.constantFrom('a', 'ü', '\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (chunks) => {
        const texts = chunks.map((chunk) => chunk.join(''));
        assert.deepEqual(await linesOf(texts), await linesOf([texts.join('')]));
        const lines = texts.join('').split('\n');
        assert.deepEqual(await linesOf(texts), lines.at(-1) === '' ? lines.slice(0, -1) : lines);
      }),
    );
  });

  it('may be as long as allowed, and what is longer is one line as well', async () => {
    assert.deepEqual(await linesOf(['123\n12', '34\n1\n'], 3), ['123', TOO_LONG, '1']);
    assert.deepEqual(await linesOf(['1', '2', '3', '4'], 3), [TOO_LONG]);
  });

  it('take no more memory than they are long when they come in small pieces', async () => {
    const length = 1_000_000;
    let held = 0;
    // eslint-disable-next-line @typescript-eslint/require-await -- a stream otherwise
    async function* bytes(): AsyncGenerator<Buffer> {
      const before = process.memoryUsage();
      for (let sent = 0; sent < length; sent += 1) {
        // A stream gives each its own memory as well.
        yield Buffer.allocUnsafeSlow(1);
        if (sent % 100_000 === 0) {
          const now = process.memoryUsage();
          held = Math.max(held, now.heapUsed + now.external - before.heapUsed - before.external);
        }
      }
    }
    const lines = [];
    for await (const line of readLines(bytes(), length)) lines.push(line);
    assert.deepEqual(
      lines.map((line) => (line === TOO_LONG ? line : line.length)),
      [length],
    );
    assert.ok(held < 150 * length, String(held));
  });
});
