import { sentences } from '../../../../packages/lib/message.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { describeObject } from '../../../../packages/kube/object.ts';
import { precedes } from '../namesake.ts';
import { setCondition, type Outcome, type State, type World } from '../state.ts';

/** Refuses a stack whose name a stack of another kind already has. What it runs already stays as it is. */
export function namesake(state: State, world: World): Outcome {
  const other = world.namesakesOf(state.stack).find((candidate) => precedes(candidate, state.stack));
  if (other === undefined) return 'next';
  // A claim would give this stack precedence, so none is made, and no Event reports one.
  delete state.draft.claim;
  state.events.length = 0;
  const problem = formatProblem({
    path: 'metadata.name',
    value: state.stack.metadata.name,
    message: `is also the name of ${describeObject(other)}, so the pods of both would have the same labels`,
    remedy: 'Give this stack another name, or remove the other one.',
  });
  setCondition(state, 'Accepted', 'False', 'NameTaken', sentences([problem]));
  return 'report';
}
