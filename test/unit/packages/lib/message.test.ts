import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LINE_LIMIT, names, sentences, shortened } from '../../../../packages/lib/message.ts';

describe('one line of a status', () => {
  it('is what was said, where that fits', () => {
    assert.equal(shortened('All is well.'), 'All is well.');
    assert.equal(shortened('  two\n   lines '), 'two lines');
    assert.equal(shortened('x'.repeat(LINE_LIMIT)), 'x'.repeat(LINE_LIMIT));
  });

  it('loses its middle where it does not fit', () => {
    assert.equal(shortened('to pull the image from far away was denied', 20), 'to pull the … denied');
  });

  it('joins sentences, and counts those that do not fit', () => {
    assert.equal(sentences(['Only one.']), 'Only one.');
    assert.equal(sentences(['a: fails.', 'b: waits']), 'a: fails; b: waits');
    assert.equal(sentences(['a: fails', 'b: waits', 'c: too'], 22), 'a: fails; and 2 more');
    assert.equal(sentences(['a: fails for long', 'b: waits'], 20), 'a: … ng; and 1 more');
  });

  it('joins names, and counts those that do not fit', () => {
    assert.equal(names(['a', 'b']), 'a, b');
    assert.equal(names(['apple', 'banana', 'cherry'], 19), 'apple and 2 more');
  });

  it('looks at no more items than it has room for, however many there are', () => {
    for (const line of [sentences, names]) {
      const looks = (count: number): number => {
        const items = Array.from({ length: count }, (_, index) => `problem ${index}`);
        let looked = 0;
        const watched = new Proxy(items, {
          get: (target, key): unknown => {
            if (/^\d+$/.test(String(key))) looked += 1;
            return Reflect.get(target, key) as unknown;
          },
        });
        assert.match(line(watched), / more$/);
        return looked;
      };
      assert.equal(looks(400), looks(200));
      assert.ok(looks(400) <= 2 * LINE_LIMIT);
    }
  });

  it('is never longer than it may be, never more than one line, and never half a character', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), fc.integer({ min: 40, max: 300 }), (items, limit) => {
        for (const line of [sentences(items, limit), shortened(items.join(' '), limit)]) {
          assert.ok(line.length <= limit, `${line.length} > ${limit}`);
          assert.doesNotMatch(line, /[\n\r]/);
          assert.ok(line.isWellFormed());
        }
        assert.ok(names(items, limit).length <= limit);
      }),
    );
  });
});
