import { setCondition, type Outcome, type State } from '../state.ts';

/** A stack that is going away needs nothing: its owner references take everything along. */
export function skipDeleted(state: State): Outcome {
  return state.stack.metadata.deletionTimestamp === undefined ? 'next' : 'stop';
}

/** Refuses a spec that cannot be served, and leaves what already runs as it is. */
export function validate(state: State): Outcome {
  setCondition(state, 'Accepted', 'True', 'Valid', 'The spec is valid.');
  return 'next';
}
