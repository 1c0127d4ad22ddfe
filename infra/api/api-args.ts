import type { AppliedDefinition, InferenceStackApiArgs } from '../../components/api/inference-stack-api.ts';
import { operatorNeeds } from '../../components/fleet/operator-needs.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Settings } from '../config/schema.ts';
import type { PlannedFleet } from '../fleet/plan-operators.ts';

/** What the API is made from: none of the operators, installed or planned, may lose what it needs of it. */
export function apiArgs(
  { protect, acceptChanges }: Settings['api'],
  definitions: readonly AppliedDefinition[],
  live: Pick<LiveState, 'definitions'>,
  { operators }: Pick<PlannedFleet, 'operators'>,
): InferenceStackApiArgs {
  return { definitions, live: live.definitions, operators: operatorNeeds(operators), protect, acceptChanges };
}
