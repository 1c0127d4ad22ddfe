import assert from 'node:assert/strict';
import { mergeConditions } from '../../../../packages/kube/conditions.ts';

const ready = { type: 'Ready', status: 'True', reason: 'AllReady', message: 'All pods are ready.' } as const;

describe('conditions', () => {
  it('keep their transition time until their status changes', () => {
    const first = mergeConditions([], [ready], { generation: 1, time: 't1' });
    const same = mergeConditions(first, [{ ...ready, message: 'Still.' }], { generation: 2, time: 't2' });
    assert.equal(same[0]?.lastTransitionTime, 't1');
    assert.equal(same[0].observedGeneration, 2);
    assert.equal(same[0].message, 'Still.');
    const changed = mergeConditions(same, [{ ...ready, status: 'False' }], { generation: 2, time: 't3' });
    assert.equal(changed[0]?.lastTransitionTime, 't3');
  });

  it('are the same list when nothing changed, so that nothing is written', () => {
    const first = mergeConditions([], [ready], { generation: 1, time: 't1' });
    assert.deepEqual(mergeConditions(first, [ready], { generation: 1, time: 't2' }), first);
  });
});
