import assert from 'node:assert/strict';
import { render } from '../../../../controller/src/render/render.ts';
import type { DeploymentView } from '../../../../controller/src/reconcile/deployment-view.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { observe, type Observation } from '../../../../controller/src/reconcile/steps/observe.ts';
import { contextWith, stackWith } from '../../../support/stacks.ts';

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

/** What is seen of a stack beside ready Deployments of its names that the given uid controls. */
function observed(controller: string): Observation {
  const stack = stackWith({ applications: { llm: {} } });
  stack.metadata.uid = 'this';
  const rendered = render(stack, contextWith());
  const state = { stack, rendered, plans: {}, rollouts: {}, explanations: new Map() };
  const world = {
    pods: { byIndex: () => [] },
    owned: { get: () => ({ controller: { uid: controller }, details: READY }) },
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
});
