import { unsuited } from '../../../../packages/api/gateway-kind.ts';
import type { GatewayKind, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { names } from '../../../../packages/lib/message.ts';
import { problemLine, type Problem } from '../../../../packages/lib/problem.ts';
import { keptDefaults } from '../kept-defaults.ts';
import { setCondition, type Outcome, type State, type World } from '../state.ts';

/**
 * Finds out which defaults the stack keeps. One whose engines no longer suit the gateway that it has is refused, and what runs stays as it is:
 * another gateway has other pods, and other ways for clients, so its author has to ask for it.
 */
export function keep(state: State, world: World): Outcome {
  const { stack, draft } = state;
  draft.defaults = keptDefaults(stack, world);
  const problem = gatewayProblem(stack.spec, draft.defaults.gateway);
  if (problem === undefined) return 'next';
  setCondition(state, 'Accepted', 'False', 'UnsuitedGateway', problemLine([problem]));
  return 'report';
}

const OTHER: Readonly<Record<GatewayKind, GatewayKind>> = { takeoff: 'onwards', onwards: 'takeoff' };

/** Room for the names of applications, so that the remedy fits beside them. */
const NAMES_LIMIT = 40;

/** Why a spec cannot be served by the kind of gateway that its stack keeps, if so. */
export function gatewayProblem(spec: InferenceStackSpec, kept: GatewayKind | undefined): Problem | undefined {
  if (kept === undefined || (spec.gateway?.kind ?? undefined) !== undefined) return undefined;
  const applications = unsuited(spec, kept);
  if (applications.length === 0) return undefined;
  return {
    path: 'spec.gateway.kind',
    value: kept,
    message: `was decided before, and does not suit ${names(applications, NAMES_LIMIT)}`,
    remedy: `Set gateway.kind: ${OTHER[kept]}, which replaces the gateway's pods, or make another stack.`,
  };
}
