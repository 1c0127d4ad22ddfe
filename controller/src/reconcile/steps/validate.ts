import { UNKNOWN_FIELD } from '../../../../packages/api/structural.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { validate as validateStack } from '../../../../packages/api/validate.ts';
import { problemLine, type Problem } from '../../../../packages/lib/problem.ts';
import { definedOnly } from '../../../../packages/lib/values.ts';
import { setCondition, type Outcome, type State } from '../state.ts';

/** What is wrong with a spec. */
export interface SpecVerdict {
  /** Fields without effect, which do not keep the stack from being served. */
  readonly notices: readonly Problem[];
  /** Why it cannot be served, if so, with the reason in one word. */
  readonly refusal?: { readonly reason: string; readonly problems: readonly Problem[] };
}

/**
 * Refuses a spec that cannot be served, and leaves what already runs as it is. Fields that this operator does not know
 * may come with a CRD for newer ones: a notice says that they have no effect, but the stack is served.
 */
export function validate(state: State): Outcome {
  const { notices, refusal } = judgeSpec(state.stack, state.excess);
  state.notices.push(...notices);
  if (refusal === undefined) return 'next';
  setCondition(state, 'Accepted', 'False', refusal.reason, problemLine(refusal.problems));
  return 'report';
}

/** The same without a cluster. `excess` is why the spec is too large, if it is. */
export function judgeSpec(stack: InferenceStack, excess: readonly Problem[]): SpecVerdict {
  if (excess.length > 0) return { notices: [], refusal: { reason: 'SpecTooLarge', problems: excess } };
  const { apiVersion, kind, metadata, spec } = stack;
  const result = validateStack({ apiVersion, kind, metadata: { name: metadata.name }, spec });
  const problems = result.valid ? [] : result.problems.map((problem) => definedOnly({ ...problem, object: undefined }));
  const notices = problems.filter(({ message }) => message === UNKNOWN_FIELD);
  const fatal = problems.filter(({ message }) => message !== UNKNOWN_FIELD);
  return fatal.length === 0 ? { notices } : { notices, refusal: { reason: 'InvalidSpec', problems: fatal } };
}
