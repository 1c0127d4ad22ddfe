import assert from 'node:assert/strict';
import { isObject, listAt, objectAt, objectsAt, textAt, textOf, valueAt } from '../../../../packages/lib/json.ts';

const DOCUMENT: unknown = JSON.parse(`{
  "spec": { "name": "chat", "size": 2, "ports": [{ "port": 80 }, "http", null], "__proto__": { "name": "hidden" } }
}`);

describe('reading a value of unknown shape', () => {
  it('follows a path through maps', () => {
    assert.equal(textAt(DOCUMENT, 'spec', 'name'), 'chat');
    assert.equal(valueAt(DOCUMENT, 'spec', 'size'), 2);
    assert.deepEqual(listAt(DOCUMENT, 'spec', 'ports'), [{ port: 80 }, 'http', null]);
    assert.deepEqual(objectsAt(DOCUMENT, 'spec', 'ports'), [{ port: 80 }]);
    assert.deepEqual(Object.keys(objectAt(DOCUMENT)), ['spec']);
  });

  it('finds nothing where the path ends, or leads to something else', () => {
    for (const path of [['none'], ['spec', 'name', 'length'], ['spec', 'ports', '0'], ['spec', 'size']]) {
      assert.equal(textAt(DOCUMENT, ...path), '', path.join('.'));
      assert.deepEqual(objectAt(DOCUMENT, ...path), {}, path.join('.'));
      assert.deepEqual(listAt(DOCUMENT, ...path), [], path.join('.'));
    }
    for (const value of [undefined, null, 'text', 7, []]) assert.equal(valueAt(value, 'length'), undefined);
  });

  it('sees only what the document says, not what every object has', () => {
    assert.equal(valueAt(DOCUMENT, 'constructor'), undefined);
    assert.equal(textAt(DOCUMENT, 'spec', '__proto__', 'name'), 'hidden');
  });

  it('takes a list for a list, not for a map', () => {
    assert.equal(isObject([]), false);
    assert.equal(isObject(null), false);
    assert.equal(isObject({}), true);
  });

  it('writes plain values as text, and maps and lists not at all', () => {
    assert.deepEqual([2, true, 'a', null, {}, ['a']].map(textOf), ['2', 'true', 'a', 'null', '', '']);
  });
});
