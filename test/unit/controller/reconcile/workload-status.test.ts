import assert from 'node:assert/strict';
import { keepPod, type PodView } from '../../../../controller/src/reconcile/pod-view.ts';
import { firstProblem, workloadStatus } from '../../../../controller/src/reconcile/workload-status.ts';

const MISSING = 'Application llm has no node for 1 pod: no node has 64 free H200: 1 node matches, at most 8 free.';
const LABELS = { 'app.kubernetes.io/managed-by': 'inference-stack-operator', 'app.kubernetes.io/instance': 'chat' };

function pod(name: string, status: object): PodView {
  const kept = keepPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'team-a', labels: LABELS, resourceVersion: '1' },
    status,
  });
  assert.ok(kept);
  return kept;
}

const unschedulable = pod('a', {
  phase: 'Pending',
  conditions: [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: preemption' },
  ],
});
const unpullable = pod('b', {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'True' }],
  containerStatuses: [{ name: 'main', state: { waiting: { reason: 'ErrImagePull', message: 'denied' } } }],
});

const VIEW = {
  replicas: 1,
  readyReplicas: 0,
  updatedReplicas: 1,
  availableReplicas: 0,
  totalReplicas: 1,
  observed: true,
  begun: true,
  stalled: undefined,
};

describe('the status of a workload', () => {
  it('names the missing GPUs in place of what the scheduler says', () => {
    const view = VIEW;
    const workload = { view, pods: [unschedulable], suspended: false, missing: MISSING };
    const { phase, message } = workloadStatus(workload);
    assert.deepEqual({ phase, message }, { phase: 'Waiting', message: MISSING });
    const late = workloadStatus({ ...workload, view: { ...view, stalled: 'the deadline is over' } });
    assert.deepEqual([late.phase, late.message], ['Failed', MISSING]);
  });

  it('waits, and has not failed, while its rollout is about to go on in another way', () => {
    const stalled = 'pods "x" is forbidden: exceeded quota: gpus';
    const workload = { view: { ...VIEW, totalReplicas: 2, stalled }, pods: [], suspended: false };
    const { phase, message } = workloadStatus({ ...workload, rescueDue: true });
    assert.deepEqual({ phase, message }, { phase: 'Waiting', message: stalled });
    assert.equal(workloadStatus({ ...workload, rescueDue: false }).phase, 'Failed');
  });

  it('keeps what the scheduler says when it is not about GPUs', () => {
    assert.match(firstProblem([unschedulable]) ?? '', /^Pod a cannot be scheduled: 0\/1 nodes/);
  });

  it('does not blame GPUs for the problem of a pod that has a node', () => {
    assert.equal(firstProblem([unpullable], MISSING), 'Pod b, container main: ErrImagePull: denied');
  });
});
