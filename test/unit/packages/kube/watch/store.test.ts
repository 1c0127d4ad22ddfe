import assert from 'node:assert/strict';
import { Store } from '../../../../../packages/kube/watch/store.ts';

interface Item {
  readonly resourceVersion: number;
  readonly team: string;
}

function newStore(): Store<Item> {
  return new Store<Item>({ team: ({ team }) => [team] });
}

describe('the store', () => {
  it('says what changed, and nothing for a version that it knows or that is older', () => {
    const store = newStore();
    assert.deepEqual(store.set('a', { resourceVersion: 5, team: 'x' })?.before, undefined);
    assert.equal(store.set('a', { resourceVersion: 5, team: 'x' }), undefined);
    assert.equal(store.set('a', { resourceVersion: 4, team: 'old' }), undefined);
    assert.equal(store.set('a', { resourceVersion: 6, team: 'y' })?.before?.team, 'x');
    assert.equal(store.delete('a', 5), undefined, 'an old deletion says nothing about the new object');
    assert.equal(store.delete('a', 7)?.before?.team, 'y');
  });

  it('keeps its indexes in step', () => {
    const store = newStore();
    store.set('a', { resourceVersion: 1, team: 'x' });
    store.set('b', { resourceVersion: 2, team: 'x' });
    store.set('a', { resourceVersion: 3, team: 'y' });
    assert.deepEqual(store.keysByIndex('team', 'x'), ['b']);
    assert.deepEqual(store.keysByIndex('team', 'y'), ['a']);
    store.delete('b', 4);
    assert.deepEqual(store.byIndex('team', 'x'), []);
  });

  it('takes over a list, except for what was written after it', () => {
    const store = newStore();
    store.set('gone', { resourceVersion: 1, team: 'x' });
    store.set('same', { resourceVersion: 2, team: 'x' });
    store.set('just-written', { resourceVersion: 12, team: 'x' });
    const list = new Map([
      ['same', { resourceVersion: 2, team: 'x' }],
      ['new', { resourceVersion: 9, team: 'x' }],
    ]);
    const changes = store.replace(list, 10);
    assert.deepEqual(changes.map(({ key }) => key).sort(), ['gone', 'new']);
    assert.deepEqual([...store.keys()].sort(), ['just-written', 'new', 'same']);
  });
});
