import type { Outcome, State } from '../state.ts';

/** A stack that is going away needs nothing: its owner references take everything along. */
export function skipDeleted(state: State): Outcome {
  return state.stack.metadata.deletionTimestamp === undefined ? 'next' : 'stop';
}
