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
});
