import type { Outcome, State, World } from '../state.ts';

/**
 * Leaves out objects of an optional kind that the API server answers with errors only. They stay as they are, and in the inventory.
 * All others are made as if the kind were there: otherwise pods that a scaler looks after would get another number.
 */
export function withhold(state: State, { owned }: World): Outcome {
  const { rendered } = state;
  if (rendered !== undefined) {
    state.rendered = { ...rendered, objects: rendered.objects.filter(({ kind }) => !owned.isUnanswered(kind)) };
  }
  return 'next';
}
