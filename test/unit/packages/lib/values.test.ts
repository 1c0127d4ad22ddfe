import assert from 'node:assert/strict';
import { definedOnly, ownValue } from '../../../../packages/lib/values.ts';

describe('an object without what is undefined', () => {
  it('has every other field, in its order, and nothing in the place of the rest', () => {
    const object = definedOnly({ b: 0, gone: undefined, a: null, empty: '', list: [] });
    assert.deepEqual(Object.keys(object), ['b', 'a', 'empty', 'list']);
    assert.deepEqual(object, { b: 0, a: null, empty: '', list: [] });
  });

  it('is another object, whose fields need not be there', () => {
    const given: { name: string; size: number | undefined } = { name: 'a', size: undefined };
    const exact: { name: string; size?: number } = definedOnly(given);
    assert.notEqual(exact, given);
    assert.equal('size' in exact, false);
  });
});

describe('the value of a key', () => {
  it('is what the map has itself, not what every object has', () => {
    assert.equal(ownValue({ constructor: 'mine' }, 'constructor'), 'mine');
    assert.equal(ownValue<unknown>({}, 'constructor'), undefined);
  });
});
