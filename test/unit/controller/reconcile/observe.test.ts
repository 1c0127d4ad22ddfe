import assert from 'node:assert/strict';
import type { Application } from '../../../../packages/api/types.ts';
import { render } from '../../../../packages/render/render.ts';
import type { DeploymentView } from '../../../../packages/kube/pods/deployment-view.ts';
import type { PodView } from '../../../../controller/src/reconcile/pod-view.ts';
import { noDecision } from '../../../../controller/src/reconcile/rollout/decide.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { observe, type Observation } from '../../../../controller/src/reconcile/steps/observe.ts';
import { GPU } from '../../../support/kubernetes/cluster-objects.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

const READY: DeploymentView = {
  replicas: 1,
  readyReplicas: 1,
  updatedReplicas: 1,
  availableReplicas: 1,
  totalReplicas: 1,
  begun: true,
  observed: true,
  stalled: undefined,
};

/** What is seen of a stack beside ready Deployments of its names that the given uid controls, and these pods. */
function observed(
  controller: string,
  pods: readonly Partial<PodView>[] = [],
  llm: Application = {},
  details = READY,
  plans: State['plans'] = {},
): Observation {
  const stack = stackWith({ applications: { llm } });
  stack.metadata.uid = 'this';
  const rendered = render(stack, contextWith());
  const state = { stack, rendered, plans, misplaced: new Map(), rollouts: noDecision(), explanations: new Map() };
  const world = {
    pods: { byIndex: () => pods },
    owned: { get: () => ({ controller: { uid: controller }, details }) },
  };
  return observe(state as unknown as State, world as unknown as World);
}

describe('what is seen of a stack', () => {
  it('is what its own Deployments say', () => {
    const { gateway, applications, applicationsReady } = observed('this');
    assert.deepEqual([gateway?.phase, applications?.['llm']?.phase, applicationsReady], ['Ready', 'Ready', '1/1']);
  });

  it('is not what Deployments of the same names say that another stack controls, or one that has gone', () => {
    const { gateway, applications, applicationsReady } = observed('another');
    const phases = [gateway?.phase, applications?.['llm']?.phase];
    assert.deepEqual([...phases, applicationsReady], ['Progressing', 'Progressing', '0/1']);
  });

  it('has a hash of the configuration only where pods read one', () => {
    const open = observed('this', [], { engine: 'vllm', model: { name: 'm/chat' } }).applications?.['llm'];
    assert.deepEqual([open?.phase, open?.model], ['Ready', 'm/chat']);
    assert.ok(open !== undefined && !('configHash' in open));
    assert.match(observed('this').applications?.['llm']?.configHash ?? '', /^[0-9a-f]{16}$/);
  });

  it('says of an application that its model loads, and of the gateway that it starts', () => {
    const pods = ['gateway', 'application-llm'].map((component) => ({ component, loading: true, devices: {} }));
    const { gateway, applications } = observed('this', pods, {}, { ...READY, readyReplicas: 0 });
    assert.deepEqual(
      [gateway?.message, applications?.['llm']?.message],
      ['1 of 1 pods is starting.', '1 of 1 pods is loading its model.'],
    );
  });

  it('waits where GPUs are missing, however late the rollout is', () => {
    const pods = [{ component: 'application-llm', unschedulableSince: 0, problem: 'cannot be scheduled', devices: {} }];
    const late = { ...READY, readyReplicas: 0, stalled: 'has timed out progressing.', overdue: true };
    const phase = (plans: State['plans']): unknown =>
      observed('this', pods, {}, late, plans).applications?.['llm']?.phase;
    assert.equal(phase({ llm: { missing: 'No GPU.', slots: [] } }), 'Waiting');
    assert.equal(phase({}), 'Failed');
  });

  it('names no more than a hundred nodes of an application', () => {
    const pods = Array.from({ length: 150 }, (_, index) => ({
      component: 'application-llm',
      node: `node-${1000 + index}`,
      devices: {},
    }));
    const { nodes } = observed('this', pods).applications?.['llm'] ?? {};
    assert.deepEqual([nodes?.length, nodes?.[0], nodes?.at(-1)], [100, 'node-1000', 'node-1099']);
  });

  it('is also which GPUs pods still hold whose application was removed', () => {
    const pods: Partial<PodView>[] = [
      { component: 'application-removed', node: 'a', devices: { [GPU]: 8, 'example.com/nic': 1 } },
      { component: 'application-removed', node: undefined, devices: { [GPU]: 8 } },
    ];
    assert.equal(observed('this', pods).gpus, 8);
  });
});
