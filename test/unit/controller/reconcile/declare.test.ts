import assert from 'node:assert/strict';
import type { InferenceStackStatus } from '../../../../packages/api/types.ts';
import { render } from '../../../../packages/render/render.ts';
import type { RolloutStrategy } from '../../../../packages/render/model.ts';
import { noDecision } from '../../../../controller/src/reconcile/rollout/decide.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { declare } from '../../../../controller/src/reconcile/steps/declare.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

/** What is written before anything is applied, when the status records one way of replacing pods and another was chosen. */
async function declared(recorded: RolloutStrategy, chosen: RolloutStrategy): Promise<InferenceStackStatus | undefined> {
  const stack = stackWith({ applications: { llm: { gpu: { count: 1 } } } });
  const rendered = render(stack, contextWith({ rollouts: { llm: chosen } }));
  const inventory = rendered.objects.map(({ apiVersion, kind, metadata }) => ({
    apiVersion,
    kind,
    name: metadata.name,
  }));
  const applications = { llm: { replicas: 1, rollout: recorded, rolloutReason: 'As it was.' } };
  stack.status = { observedGeneration: 1, inventory, applications };
  let written: InferenceStackStatus | undefined;
  const client = {
    jsonPatch: (_type: unknown, _ref: unknown, operations: { path: string; value: unknown }[]): Promise<object> => {
      written = operations.find(({ path }) => path === '/status')?.value as InferenceStackStatus;
      return Promise.resolve({ ...stack, status: written });
    },
  };
  const rollouts = { ...noDecision(), choices: new Map([['llm', { strategy: chosen, reason: 'There is room.' }]]) };
  const state = { stack, draft: {}, rendered, rollouts, conditions: new Map(), events: [] };
  const world = { client, prunedStatuses: new Map(), remember: () => undefined };
  await declare(state as unknown as State, world as unknown as World);
  return written;
}

describe('what is written before objects are applied', () => {
  it('names the way in which a rollout is about to replace pods, so that it outlives a report that fails', async () => {
    const written = await declared('recreate', 'surge');
    assert.deepEqual(written?.applications?.['llm'], {
      replicas: 1,
      rollout: 'surge',
      rolloutReason: 'There is room.',
    });
  });

  it('is nothing when the way stays the same', async () => {
    assert.equal(await declared('surge', 'surge'), undefined);
  });
});
