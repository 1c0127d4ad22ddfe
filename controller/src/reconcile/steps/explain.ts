import { ASK_AGAIN_MS } from '../../../../packages/kube/pods/pod-events.ts';
import { objectKey } from '../../../../packages/kube/object.ts';
import { lookAgainAfter, type Outcome, type State, type World } from '../state.ts';

/** Finds out what pods wait for when they do not say so themselves, such as a missing Secret of a volume. */
export async function explain(state: State, world: World): Promise<Outcome> {
  const now = world.now().getTime();
  for (const { question } of world.pods.byIndex('stack', objectKey(state.stack.metadata))) {
    if (question === undefined) continue;
    const left = question.askFrom - now;
    if (left <= 0) {
      const answer = await world.podEvents.answer(question, now);
      if (answer !== undefined) state.explanations.set(question.uid, answer);
    }
    lookAgainAfter(state, left > 0 ? left : ASK_AGAIN_MS);
  }
  return 'next';
}
