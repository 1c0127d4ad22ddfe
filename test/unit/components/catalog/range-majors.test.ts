import assert from 'node:assert/strict';
import fc from 'fast-check';
import { majorsOf, onlyMajorOf } from '../../../../components/catalog/range-majors.ts';
import { inRange, parseVersionRange } from '../../../../components/catalog/version-range.ts';
import { parseVersion } from '../../../../components/catalog/version.ts';

function majors(text: string): string {
  const range = parseVersionRange(text);
  assert.ok(range, text);
  const found = majorsOf(range);
  return `${found.majors.join(',')}${found.open ? '+' : ''}`;
}

describe('the majors that a range admits', () => {
  const cases: Record<string, string> = {
    '2.x': '2',
    '^2': '2',
    '^2.1.3': '2',
    '~2.1': '2',
    '2.1.3': '2',
    '>=2, <3': '2',
    '>=2 <3.0.0-0': '2',
    '2.0 - 2.9': '2',
    '>=2': '2,3+',
    '>2': '3+',
    '!=2.1.0': '0,1,2,3+',
    '^1 || ^2': '1,2',
    '1 - 2': '1,2',
    '0.x': '0',
    '^0.2': '0',
    '~0.0.0': '0,1+',
    '*': '0,1+',
    '<1': '0',
    '>3, <2': '',
    '>=2.0.0-0, <2.0.0': '2',
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`of ${text} are ${expected === '' ? 'none' : expected}`, () => assert.equal(majors(text), expected));
  }

  it('enclose that of every version in the range', () => {
    const number = fc.integer({ min: 0, max: 5 });
    const version = fc.tuple(number, number, number, fc.constantFrom('', '', '-alpha', '-rc.1'));
    const comparator = fc.tuple(
      fc.constantFrom('', '=', '!=', '>', '<', '>=', '<=', '~', '^'),
      fc.oneof(
        version.map(([a, b, c, p]) => `${a}.${b}.${c}${p}`),
        version.map(([a, b]) => `${a}.${b}`),
        number.map(String),
      ),
    );
    const text = fc
      .tuple(comparator, fc.constantFrom(', ', ' || ', ' '), comparator)
      .map(([left, join, right]) => [left.join(''), right.join('')].join(join));
    fc.assert(
      fc.property(text, version, (rangeText, [a, b, c, p]) => {
        const range = parseVersionRange(rangeText);
        const candidate = parseVersion(`${a}.${b}.${c}${p}`);
        assert.ok(range && candidate);
        if (!inRange(candidate, range)) return;
        const { majors: found, open } = majorsOf(range);
        const [first = Infinity, last = -Infinity] = [found[0], open ? Infinity : found.at(-1)];
        assert.ok(a >= first && a <= last, `${rangeText} admits ${candidate.version}`);
        assert.ok([a, undefined].includes(onlyMajorOf(range)), `${rangeText} is not inside one major`);
      }),
      { numRuns: 2000 },
    );
  });
});
