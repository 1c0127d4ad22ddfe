import assert from 'node:assert/strict';
import { keepPod, type PodView } from '../../../../controller/src/reconcile/pod-view.ts';
import { firstProblem, workloadStatus, type Workload } from '../../../../controller/src/reconcile/workload-status.ts';

const MISSING = 'Application llm has no node for 1 pod: no node has 64 free H200: 1 node matches, at most 8 free.';
const LABELS = { 'app.kubernetes.io/managed-by': 'inference-stack-operator', 'app.kubernetes.io/instance': 'chat' };

function pod(name: string, status: object, spec: object = {}): PodView {
  const kept = keepPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'team-a', labels: LABELS, resourceVersion: '1' },
    spec,
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

const PROBED = { nodeName: 'a', containers: [{ name: 'main', startupProbe: { httpGet: { path: '/health' } } }] };

/** A pod that runs and has not passed its startup probe. */
function loading(name: string, more: object = {}): PodView {
  const state = { running: { startedAt: '2026-01-01T00:00:00Z' } };
  const status = {
    phase: 'Running',
    containerStatuses: [{ name: 'main', ready: false, started: false, state, ...more }],
  };
  return pod(name, status, PROBED);
}

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
    const workload = { view, pods: [unschedulable], suspended: false, hasModel: true, missing: MISSING };
    const { phase, message } = workloadStatus(workload);
    assert.deepEqual({ phase, message }, { phase: 'Waiting', message: MISSING });
  });

  it('says why it stays as it was, also where the Deployment of its new name is not made', () => {
    const workload = { view: undefined, pods: [], suspended: false, hasModel: false, held: 'The names stay.' };
    assert.deepEqual(workloadStatus(workload), { phase: 'Waiting', message: 'The names stay.' });
  });

  it('waits for GPUs, and has not failed, however long the rollout takes', () => {
    const status = (change: Partial<Workload>): unknown[] => {
      const view = { ...VIEW, stalled: 'has timed out progressing.', overdue: true };
      const workload = { view, pods: [unschedulable], suspended: false, hasModel: true, missing: MISSING };
      const { phase, message } = workloadStatus({ ...workload, lacksGpus: true, ...change });
      return [phase, message];
    };
    assert.deepEqual(status({}), ['Waiting', MISSING]);
    assert.deepEqual(status({ lacksGpus: false }), ['Failed', MISSING], 'a label that no node has needs a person');
    assert.equal(status({ pods: [unschedulable, unpullable] })[0], 'Failed', 'GPUs do not help the other pod');
    const refused = { ...VIEW, stalled: 'pods "x" is forbidden', overdue: false };
    assert.equal(status({ view: refused })[0], 'Failed', 'the API server refuses further pods');
    assert.equal(status({ pods: [] })[0], 'Failed', 'no pod waits for a node');
  });

  it('waits, and has not failed, while its rollout is about to go on in another way', () => {
    const stalled = 'pods "x" is forbidden: exceeded quota: gpus';
    const workload = { view: { ...VIEW, totalReplicas: 2, stalled }, pods: [], suspended: false, hasModel: true };
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

  it('is progressing, not failing, while its pods load their model', () => {
    const pods = [loading('a'), loading('b')];
    const status = (change: Partial<Workload>): unknown[] => {
      const { phase, message } = workloadStatus({ view: VIEW, pods, suspended: false, hasModel: true, ...change });
      return [phase, message];
    };
    assert.deepEqual(status({}), ['Progressing', '2 of 2 pods are loading their model.']);
    assert.deepEqual(status({ pods: pods.slice(1), view: { ...VIEW, replicas: 2 } }), [
      'Progressing',
      '1 of 2 pods is loading its model.',
    ]);
    assert.deepEqual(status({ hasModel: false }), ['Progressing', '2 of 2 pods are starting.']);
    const late = { ...VIEW, stalled: 'has timed out progressing.', overdue: true };
    assert.deepEqual(status({ view: late }), ['Progressing', '2 of 2 pods are loading their model.']);
    assert.deepEqual(status({ view: late, pods: [] }), ['Failed', late.stalled]);
    assert.equal(status({ view: { ...late, overdue: false } })[0], 'Failed', 'the API server refuses further pods');
  });

  it('counts the old pods beside those that load, and is ready when all wanted ones are', () => {
    const old = pod('a', { phase: 'Running' });
    const workload = { pods: [old, loading('b')], suspended: false, hasModel: true };
    const rolling = { ...VIEW, readyReplicas: 1, totalReplicas: 2 };
    assert.equal(workloadStatus({ ...workload, view: rolling }).message, '1 of 2 pods is loading its model.');
    const ready = { ...VIEW, readyReplicas: 1 };
    assert.equal(workloadStatus({ ...workload, view: ready }).phase, 'Ready');
  });

  it('tells how a pod ended that did not get its model loaded, before others that still load', () => {
    const ended = (reason: string, exitCode: number): PodView => {
      const terminated = { reason, exitCode };
      const state = { waiting: { reason: 'CrashLoopBackOff' } };
      return loading('a', { state, restartCount: 2, lastState: { terminated } });
    };
    const status = (pods: readonly PodView[]): unknown[] => {
      const { phase, message } = workloadStatus({ view: VIEW, pods, suspended: false, hasModel: true });
      return [phase, message];
    };
    assert.deepEqual(status([loading('b'), ended('OOMKilled', 137)]), [
      'Waiting',
      'Pod a, container main: keeps crashing (2 restarts): was killed for using more memory than its limit ' +
        '(OOMKilled): raise resources.limits.memory',
    ]);
    assert.match(String(status([ended('Error', 1)])[1]), /ended with exit code 1: kubectl logs --previous/);
  });

  it('loads only where a startup probe says so', () => {
    const { containerStatuses } = { containerStatuses: [{ name: 'main', started: false, state: { running: {} } }] };
    const status = { phase: 'Running', containerStatuses };
    assert.equal(pod('a', status, PROBED).loading, true);
    assert.equal(pod('a', status, { containers: [{ name: 'main' }] }).loading, false);
    assert.equal(
      pod('a', status, { containers: [{ name: 'other', startupProbe: {} }, { name: 'main' }] }).loading,
      false,
    );
    assert.equal(loading('a', { started: true }).loading, false);
    assert.equal(loading('a', { state: { waiting: { reason: 'ContainerCreating' } } }).loading, false);
  });
});
