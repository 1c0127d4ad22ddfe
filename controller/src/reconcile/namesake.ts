import { OPERATOR_VERSION_LABEL } from '../../../packages/api/constants.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';

/**
 * Whether another stack has precedence over one of the same name and another kind. Only one of them is served: the pods of both would have
 * the same labels, and Services and budgets would select the pods of both. A claimed stack comes first, then one that names an operator,
 * then the older one.
 */
export function precedes(other: InferenceStack, stack: InferenceStack): boolean {
  const [first, second] = [rank(other), rank(stack)];
  const difference = first.findIndex((value, index) => value !== second[index]);
  return difference >= 0 && (first[difference] ?? '') < (second[difference] ?? '');
}

/** The stack with the lower rank comes first. */
function rank({ kind, metadata, status }: InferenceStack): readonly string[] {
  const claimed = status?.claim !== undefined && status.claim.released !== true;
  const labelled = metadata.labels?.[OPERATOR_VERSION_LABEL] !== undefined;
  return [claimed ? '0' : '1', labelled ? '0' : '1', metadata.creationTimestamp ?? '', kind];
}
