import assert from 'node:assert/strict';
import { union, without } from '../../../../controller/src/reconcile/inventory.ts';
import { counting } from '../../../support/operator/counting.ts';

describe('an inventory', () => {
  const entry = (name: string, apiVersion = 'v1'): { apiVersion: string; kind: string; name: string } => ({
    apiVersion,
    kind: 'ConfigMap',
    name,
  });

  it('has one entry for an object, whatever the version of its API', () => {
    assert.deepEqual(union([entry('a', 'v2')], [entry('a'), entry('b')]), [entry('a', 'v2'), entry('b')]);
    assert.deepEqual(without([entry('a'), entry('b')], [entry('a', 'v2')]), [entry('b')]);
  });

  it('is compared with another one in a time that doubles with their length', () => {
    const reads = (length: number): number => {
      const counter = { reads: 0 };
      const list = (prefix: string): ReturnType<typeof entry>[] =>
        Array.from({ length }, (_, index) => counting(entry(`${prefix}${index}`), counter));
      union(list('a'), list('b'));
      return counter.reads;
    };
    assert.equal(reads(200), 2 * reads(100));
  });
});
