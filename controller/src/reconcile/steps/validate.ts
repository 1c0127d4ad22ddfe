import { UNKNOWN_FIELD } from '../../../../packages/api/structural.ts';
import { validate as validateStack } from '../../../../packages/api/validate.ts';
import { problemLine, type Problem } from '../../../../packages/lib/problem.ts';
import { definedOnly } from '../../../../packages/lib/values.ts';
import { setCondition, type Outcome, type State } from '../state.ts';

/**
 * Refuses a spec that cannot be served, and leaves what already runs as it is. Fields that this operator does not know
 * may come with a CRD for newer ones: a notice says that they have no effect, but the stack is served.
 */
export function validate(state: State): Outcome {
  if (state.excess.length > 0) return refuse(state, 'SpecTooLarge', state.excess);
  const { apiVersion, kind, metadata, spec } = state.stack;
  const result = validateStack({ apiVersion, kind, metadata: { name: metadata.name }, spec });
  const problems = result.valid ? [] : result.problems.map((problem) => definedOnly({ ...problem, object: undefined }));
  state.notices.push(...problems.filter(({ message }) => message === UNKNOWN_FIELD));
  const fatal = problems.filter(({ message }) => message !== UNKNOWN_FIELD);
  if (fatal.length === 0) return 'next';
  return refuse(state, 'InvalidSpec', fatal);
}

function refuse(state: State, reason: string, problems: readonly Problem[]): Outcome {
  setCondition(state, 'Accepted', 'False', reason, problemLine(problems));
  return 'report';
}
