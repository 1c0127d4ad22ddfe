import assert from 'node:assert/strict';
import { deploymentView } from '../../../../../packages/kube/pods/deployment-view.ts';

const LATE = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' };
const REFUSED = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'forbidden' };

function stall(...conditions: readonly object[]): readonly [string | undefined, boolean | undefined] {
  const metadata = { name: 'llm', namespace: 'team-a', generation: 1 };
  const view = deploymentView({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, status: { conditions } });
  return [view?.stalled, view?.overdue];
}

describe('why a Deployment does not get on', () => {
  it('is that it is late, or that its pods are refused', () => {
    assert.deepEqual(stall({ type: 'Available', status: 'False' }), [undefined, false]);
    assert.deepEqual(stall(LATE), ['timed out', true]);
    assert.deepEqual(stall(REFUSED), ['forbidden', false]);
  });

  it('is not only that it is late where pods are refused as well', () => {
    assert.deepEqual(stall(LATE, REFUSED)[1], false);
    assert.deepEqual(stall(REFUSED, LATE)[1], false);
  });

  it('is nothing that has passed', () => {
    assert.deepEqual(stall({ ...LATE, status: 'True' }, { ...REFUSED, status: 'False' }), [undefined, false]);
  });
});
