import assert from 'node:assert/strict';
import type { PodQuestion } from '../../../../packages/kube/pods/pod-question.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { explain } from '../../../../controller/src/reconcile/steps/explain.ts';
import { stackWith } from '../../../support/people/stacks.ts';

describe('what pods wait for that do not say so themselves', () => {
  it('is asked of a few pods of each component, always the same ones, and again in time', async () => {
    const pods = ['gateway', 'application-llm'].flatMap((component) =>
      [9, 3, 7, 1, 5].map((number) => {
        const name = `${component}-${number}`;
        return { component, question: { uid: name, name, askFrom: number === 9 ? 1_500 : 1_000 } };
      }),
    );
    const asked: string[] = [];
    const answer = ({ name }: PodQuestion): Promise<string> => {
      asked.push(name);
      return Promise.resolve('secret "hf-token" not found');
    };
    const world = { now: () => new Date(1_000), pods: { byIndex: () => pods }, podEvents: { answer } };
    const state = { stack: stackWith({}), explanations: new Map() } as unknown as State;
    await explain(state, world as unknown as World);
    const few = ['gateway', 'application-llm'].flatMap((component) =>
      [1, 3, 5].map((number) => `${component}-${number}`),
    );
    assert.deepEqual(asked, few);
    assert.deepEqual([...state.explanations.keys()], few);
    assert.equal(state.requeueAfterMs, 500);
  });
});
