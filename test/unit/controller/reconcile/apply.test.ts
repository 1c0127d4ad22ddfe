import assert from 'node:assert/strict';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { turns } from '../../../../packages/lib/turns.ts';
import { noDecision } from '../../../../controller/src/reconcile/rollout/decide.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { apply } from '../../../../controller/src/reconcile/steps/apply.ts';
import { stackWith } from '../../../support/people/stacks.ts';

describe('the number of pods that is handed over to a scaler', () => {
  it('is pinned on the Deployment that was seen, and the store knows of that write', async () => {
    const metadata = { name: 'llm', namespace: 'team-a', labels: {} };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {} };
    const stack = stackWith({});
    stack.metadata.uid = '1';
    const pinned: unknown[] = [];
    const known: unknown[] = [];
    const live = { uid: 'a-b-c', replicasApplied: true, controller: { uid: '1' }, details: { replicas: 3 } };
    const world = {
      owned: {
        get: () => live,
        typeOf: () => ({}),
        remember: (answer: KubernetesObject) => known.push(answer.metadata.resourceVersion),
      },
      client: {
        apply: (_type: unknown, pin: KubernetesObject) => {
          pinned.push([pin.metadata.uid, pin['spec']]);
          return Promise.resolve({ ...pin, metadata: { ...pin.metadata, resourceVersion: '7' } });
        },
      },
      applier: { apply: () => Promise.resolve('applied') },
    };
    const state = {
      turn: turns.begin(),
      stack,
      rendered: { objects: [deployment] },
      rollouts: noDecision(),
      unapplied: [],
      leftovers: [],
    };
    await apply(state as unknown as State, world as unknown as World);
    assert.deepEqual({ pinned, known }, { pinned: [['a-b-c', { replicas: 3 }]], known: ['7'] });
  });
});
