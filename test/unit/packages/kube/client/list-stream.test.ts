import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ListSplitter } from '../../../../../packages/kube/client/list-stream.ts';

/** Takes a document apart that arrives in pieces of the given length. */
function split(text: string, length: number): { list: unknown; items: unknown[] } {
  const items: unknown[] = [];
  const splitter = new ListSplitter((item) => items.push(JSON.parse(item.toString('utf8'))));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) splitter.push(bytes.subarray(at, at + length));
  return { list: JSON.parse(splitter.end().toString('utf8')), items };
}

describe('a list that arrives in pieces', () => {
  it('gives each item by itself, and the list without them, wherever it is cut', () => {
    const item = fc.object({ key: fc.string({ unit: 'binary' }), withNullPrototype: false });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), fc.integer({ min: 1, max: 50 }), (items, length) => {
        const rest = { kind: 'WidgetList', metadata: { continue: '"items":[{', resourceVersion: '7' } };
        const given = JSON.parse(JSON.stringify(items)) as unknown[];
        for (const indent of [undefined, 2]) {
          const result = split(JSON.stringify({ ...rest, items, remaining: [{ a: 1 }] }, undefined, indent), length);
          assert.deepEqual(result.items, given);
          assert.deepEqual(result.list, { ...rest, items: [], remaining: [{ a: 1 }] });
        }
      }),
    );
  });

  it('may have no items at all', () => {
    for (const items of [null, []]) {
      assert.deepEqual(split(JSON.stringify({ items, metadata: {} }), 3), { list: { items, metadata: {} }, items: [] });
    }
  });
});
