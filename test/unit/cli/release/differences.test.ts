import assert from 'node:assert/strict';
import { differences } from '../../../../cli/release/differences.ts';

describe('the differences of two values', () => {
  const cases: Readonly<Record<string, readonly [before: unknown, after: unknown, ...found: string[]]>> = {
    'none in equal values': [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
    'none in a field that is absent and one that is undefined': [{ a: undefined }, {}],
    'of fields': [{ a: 1, b: 1 }, { b: 2, c: 1 }, 'gone a', 'changed b', 'new c'],
    'of another type': [{ a: {} }, { a: [] }, 'changed a'],
    'of named items, by their name': [
      { list: [{ name: 'a', x: 1 }, { name: 'b' }] },
      { list: [{ name: 'a', x: 2 }, { name: 'c' }] },
      'changed list.a.x',
      'gone list.b',
      'new list.c',
    ],
    'of the order of named items': [
      { list: [{ name: 'a' }, { name: 'b' }] },
      { list: [{ name: 'b' }, { name: 'a' }] },
      'changed list',
    ],
    'of items without names': [{ list: ['a', 'b'] }, { list: ['b', 'c'] }, 'gone list[]', 'new list[]'],
    'of the order of items': [{ list: ['a', 'b'] }, { list: ['b', 'a'] }, 'changed list[]'],
    'of repeated items': [{ list: ['a', 'a', 'b'] }, { list: ['a', 'b', 'b'] }, 'changed list[]'],
  };
  for (const [name, [before, after, ...found]] of Object.entries(cases)) {
    it(`are ${name}`, () => {
      const said = differences(before, after).map(({ how, path }) => `${how} ${path}`);
      assert.deepEqual(said.toSorted(), found.toSorted());
    });
  }
});
