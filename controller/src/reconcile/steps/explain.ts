import { ASK_AGAIN_MS } from '../../../../packages/kube/pods/pod-events.ts';
import type { PodQuestion } from '../../../../packages/kube/pods/pod-question.ts';
import { objectKey } from '../../../../packages/kube/object.ts';
import { lookAgainAfter, type Outcome, type State, type World } from '../state.ts';

/** The status has one sentence for a component. Its pods mostly wait for the same, so a few of them are enough. */
const MOST_ASKED = 3;

/** Finds out what pods wait for when they do not say so themselves, such as a missing Secret of a volume. */
export async function explain(state: State, world: World): Promise<Outcome> {
  const now = world.now().getTime();
  const pods = world.pods.byIndex('stack', objectKey(state.stack.metadata));
  for (const ofComponent of Map.groupBy(pods, ({ component }) => component).values()) {
    const questions = ofComponent.flatMap(({ question }) => question ?? []);
    for (const { askFrom } of questions) lookAgainAfter(state, askFrom > now ? askFrom - now : ASK_AGAIN_MS);
    const due = questions.filter(({ askFrom }) => askFrom <= now);
    for (const question of due.toSorted(byName).slice(0, MOST_ASKED)) {
      const answer = await world.podEvents.answer(question, now);
      if (answer !== undefined) state.explanations.set(question.uid, answer);
    }
  }
  return 'next';
}

function byName(one: PodQuestion, other: PodQuestion): number {
  return one.name.localeCompare(other.name);
}
