import assert from 'node:assert/strict';
import { layered, readValues } from '../../../../cli/migrate/read-values.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

describe('values of several files', () => {
  it('are laid over each other: maps key by key, lists and texts as a whole', () => {
    const lower = { a: { b: 1, c: [1, 2] }, d: 'x' };
    assert.deepEqual(layered(lower, { a: { c: [3], e: 2 }, d: { f: 1 } }), { a: { b: 1, c: [3], e: 2 }, d: { f: 1 } });
    assert.deepEqual(lower, { a: { b: 1, c: [1, 2] }, d: 'x' });
  });

  it('keep nulls, which take away what the chart would set', () => {
    assert.deepEqual(layered({ a: { b: 1 } }, { a: { b: null } }), { a: { b: null } });
    assert.deepEqual(layered({ a: { b: 1 } }, { a: null }), { a: null });
  });

  it('may be named like what every object has', () => {
    const values = layered(
      {},
      JSON.parse('{"__proto__": {"a": 1}, "constructor": {"b": 1}}') as Record<string, unknown>,
    );
    assert.deepEqual(Object.keys(values), ['__proto__', 'constructor']);
    assert.equal(({} as { a?: number }).a, undefined);
  });
});

describe('what helm get values prints', () => {
  it('is read with and without its title', async () => {
    const printed = recordingIo({ a: 'USER-SUPPLIED VALUES:\nonwards:\n  replicaCount: 2\n' });
    assert.deepEqual(await readValues(['a'], printed), { onwards: { replicaCount: 2 } });
    const computed = recordingIo({ a: 'COMPUTED VALUES:\nonwards:\n  replicaCount: 2\n' });
    assert.deepEqual(await readValues(['a'], computed), { onwards: { replicaCount: 2 } });
  });
});
