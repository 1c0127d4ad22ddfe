import type { OperatorNeeds } from '../api/unmet-needs.ts';
import { apiNeedsOf } from '../bundle/api-needs.ts';
import type { PlannedOperator } from './plan.ts';

/** What operators, installed and planned, need of the API. */
export function operatorNeeds(operators: readonly PlannedOperator[]): readonly OperatorNeeds[] {
  return operators
    .flatMap(({ bundles }) => bundles)
    .map((bundle) => ({ operator: bundle.name, needs: apiNeedsOf(bundle) }));
}
