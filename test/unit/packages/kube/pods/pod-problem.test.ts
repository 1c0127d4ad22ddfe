import assert from 'node:assert/strict';
import { LINE_LIMIT } from '../../../../../packages/lib/message.ts';
import { podProblem, type PodStatus } from '../../../../../packages/kube/pods/pod-problem.ts';

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
    assert.equal(podProblem('p', { conditions }), 'Pod p cannot be scheduled: 0/3 nodes');
  });

  it('is without what the scheduler says about preemption, which helps nobody', () => {
    const message =
      '0/3 nodes are available: persistentvolumeclaim "models" not found. preemption: 0/3 nodes are available: ' +
      '3 Preemption is not helpful for scheduling.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    assert.equal(
      podProblem('p', { conditions }),
      'Pod p cannot be scheduled: 0/3 nodes are available: persistentvolumeclaim "models" not found',
    );
    const twice = [{ ...conditions[0], message: 'persistentvolumeclaim "models" not found. not found' }];
    assert.equal(
      podProblem('p', { conditions: twice as typeof conditions }),
      'Pod p cannot be scheduled: persistentvolumeclaim "models" not found',
    );
  });

  it('is every reason whole that the scheduler gives, and how many more there are, without what it tried in vain', () => {
    const reasons = [
      '1 Insufficient nvidia.com/gpu',
      "12 node(s) didn't match Pod's node affinity/selector",
      "2 node(s) didn't match pod anti-affinity rules",
      '3 node(s) had untolerated taint(s)',
    ];
    const problem = (count: number): string | undefined => {
      const message =
        `0/18 nodes are available: ${reasons.slice(0, count).join(', ')}. no new claims to deallocate, ` +
        'preemption: 0/18 nodes are available: 18 Preemption is not helpful for scheduling.';
      const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
      return podProblem('chat-inference-stack-llm-7d9f8c6b5-x2x4z', { conditions });
    };
    const pod = 'Pod chat-inference-stack-llm-7d9f8c6b5-x2x4z cannot be scheduled';
    assert.equal(problem(1), `${pod}: 0/18 nodes are available: ${reasons[0]}`);
    assert.equal(problem(4), `${pod}: ${reasons[0]}, ${reasons[1]} and 2 more`);
  });

  it('is what the kubelet says about images and configuration', () => {
    const status = container({ waiting: { reason: 'ErrImagePull', message: 'denied' } });
    assert.equal(podProblem('p', status), 'Pod p, container main: ErrImagePull: denied');
  });

  it('names a container only where the name of the pod does not', () => {
    const status = container({ waiting: { reason: 'ErrImagePull', message: 'denied' } });
    assert.equal(podProblem('main-7d9f-x2x4', status), 'Pod main-7d9f-x2x4: ErrImagePull: denied');
    assert.match(podProblem('mainly-7d9f-x2x4', status) ?? '', /, container main: /);
  });

  it('is one line, cut in its middle: the beginning says what was tried, the end why it failed', () => {
    const message = `Failed to pull image "${'registry.example.com/'.repeat(9)}": rpc error:\n  code = NotFound: not found`;
    const problem = podProblem('p', container({ waiting: { reason: 'ErrImagePull', message } })) ?? '';
    assert.ok(problem.length <= LINE_LIMIT && !problem.includes('\n'), problem);
    assert.match(
      problem,
      /^Pod p, container main: ErrImagePull: Failed to pull image .* … .*code = NotFound: not found$/,
    );
  });

  it('is the exit code of a crash, and memory where that was the reason', () => {
    const waiting = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } };
    assert.match(
      podProblem('p', container(waiting, { terminated: { exitCode: 2 } })) ?? '',
      /3 restarts.*exit code 2: kubectl logs --previous/,
    );
    const told = { terminated: { exitCode: 2, message: 'no such model' } };
    assert.match(podProblem('p', container(waiting, told)) ?? '', /exit code 2: no such model$/);
    const killed = { terminated: { exitCode: 137, reason: 'OOMKilled' } };
    assert.match(
      podProblem('p', container(waiting, killed)) ?? '',
      /more memory than its limit .*: raise resources\.limits\.memory$/,
    );
  });

  it('is that it was killed, when a signal ended it', () => {
    const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
    const problem = podProblem('p', container(waiting, { terminated: { exitCode: 143, reason: 'Error' } }));
    assert.match(problem ?? '', /\(3 restarts\): was killed \(exit code 143\)$/);
  });

  it('is the reason of a pod that was evicted', () => {
    assert.equal(
      podProblem('p', { phase: 'Failed', reason: 'Evicted', message: 'low on memory' }),
      'Pod p failed: Evicted: low on memory',
    );
  });
});
