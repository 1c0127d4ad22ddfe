import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LINE_BOUNDS, readJson } from '../../../../controller/src/render/read-json.ts';
import { TOO_LONG } from '../../../../packages/lib/read-lines.ts';
import { ProblemsError } from '../../../../packages/lib/problem.ts';

const read = (text: string): unknown => readJson(Buffer.from(text));
const refused = (text: string, message: RegExp): void => {
  assert.throws(() => read(text), { name: 'ProblemsError', message });
};

describe('the JSON of a line', () => {
  it('is what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(read(text), JSON.parse(text));
      }),
    );
  });

  it('is refused where JSON.parse refuses it, whatever it is', () => {
    const garbage = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '1', 'x', ' ') });
    fc.assert(
      fc.property(garbage, (text) => {
        const outcome = (parse: (text: string) => unknown): unknown => {
          try {
            return parse(text);
          } catch (error) {
            return error instanceof SyntaxError || error instanceof ProblemsError ? 'refused' : error;
          }
        };
        assert.deepEqual(outcome(read), outcome(JSON.parse));
      }),
      { numRuns: 2000 },
    );
  });

  it('has bounds, which are checked before it is parsed', () => {
    refused('['.repeat(LINE_BOUNDS.depth + 1), /^is nested more than 1000 levels deep\. /);
    refused(`[${'{},'.repeat(LINE_BOUNDS.values)}{}`, /^has more than 100000 values\. /);
    assert.throws(() => readJson(TOO_LONG), { message: /^is longer than 3145728 bytes\. / });
  });
});
