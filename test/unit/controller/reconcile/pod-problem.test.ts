import assert from 'node:assert/strict';
import { podProblem, type PodStatus } from '../../../../controller/src/reconcile/pod-problem.ts';

function container(state: object, lastState: object = {}): PodStatus {
  return { containerStatuses: [{ name: 'main', restartCount: 3, state, lastState }] };
}

describe('what keeps a pod from running', () => {
  it('is nothing for a pod that runs or is just starting', () => {
    assert.equal(podProblem('p', undefined), undefined);
    assert.equal(podProblem('p', container({ running: {} })), undefined);
    assert.equal(podProblem('p', container({ waiting: { reason: 'ContainerCreating' } })), undefined);
    assert.equal(podProblem('p', container({ terminated: { exitCode: 0 } })), undefined);
  });

  it('is what the scheduler says about a pod without a node', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }];
    assert.equal(podProblem('p', { conditions }), 'Pod p cannot be scheduled: Unschedulable: 0/3 nodes');
  });

  it('is what the kubelet says about images and configuration', () => {
    const status = container({ waiting: { reason: 'ErrImagePull', message: 'denied' } });
    assert.equal(podProblem('p', status), 'Pod p, container main: ErrImagePull: denied');
  });

  it('is the exit code of a crash, and memory where that was the reason', () => {
    const waiting = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } };
    assert.match(podProblem('p', container(waiting, { terminated: { exitCode: 2 } })) ?? '', /3 restarts.*exit code 2/);
    const killed = { terminated: { exitCode: 137, reason: 'OOMKilled' } };
    assert.match(podProblem('p', container(waiting, killed)) ?? '', /more memory than its limit/);
  });

  it('is the reason of a pod that was evicted', () => {
    assert.equal(
      podProblem('p', { phase: 'Failed', reason: 'Evicted', message: 'low on memory' }),
      'Pod p failed: Evicted: low on memory',
    );
  });
});
