import { isConflict, isNotServed } from '../../../packages/kube/client/api-error.ts';
import type { ResourceType } from '../../../packages/kube/object.ts';
import { turns } from '../../../packages/lib/turns.ts';
import type { Rival } from './claim.ts';
import { noDecision } from './rollout/decide.ts';
import { stackKeyOf, type StoredStack } from './stack-view.ts';
import type { State, Step, World } from './state.ts';
import { apply } from './steps/apply.ts';
import { claim } from './steps/claim.ts';
import { declare } from './steps/declare.ts';
import { explain } from './steps/explain.ts';
import { keep } from './steps/keep.ts';
import { namesake } from './steps/namesake.ts';
import { notify } from './steps/notify.ts';
import { plan } from './steps/plan.ts';
import { prune } from './steps/prune.ts';
import { report } from './steps/report.ts';
import { skipDeleted } from './steps/skip-deleted.ts';
import { validate } from './steps/validate.ts';
import { withhold } from './steps/withhold.ts';
import { recordEvents } from './write-status.ts';

/**
 * The steps of a reconciliation, in order. A step may skip those after it, and then only the report follows. For a new stack
 * `declare` reports as well.
 */
export const STEPS: readonly Step[] = [
  { name: 'skip-deleted', run: skipDeleted },
  { name: 'claim', run: claim },
  { name: 'namesake', run: namesake },
  { name: 'validate', run: validate },
  { name: 'keep', run: keep },
  { name: 'plan', run: plan },
  { name: 'withhold', run: withhold },
  { name: 'notify', run: notify },
  { name: 'declare', run: declare },
  { name: 'apply', run: apply },
  { name: 'prune', run: prune },
  { name: 'explain', run: explain },
];

export interface ReconcileResult {
  readonly requeueAfterMs?: number | undefined;
  /** `soon`: somebody else wrote first. `later`: something was refused that may be accepted later. */
  readonly retry?: 'soon' | 'later' | undefined;
  /** Resources, such as GPUs, that it waits for: look again when they are freed. */
  readonly waitsFor: readonly string[];
  /** Resources that decide how its pods would be replaced. */
  readonly follows: readonly string[];
  /** The operator that keeps us from the stack, if there is one. */
  readonly rival?: Rival | undefined;
}

/**
 * Makes the objects of one stack as its spec says, and its status as they are. `lasting` says that earlier tries have failed for a
 * while: then the status names what fails. A single error that passes is not reported.
 */
export async function reconcile(
  type: ResourceType,
  { stack, excess }: StoredStack,
  world: World,
  lasting = false,
): Promise<ReconcileResult> {
  const state: State = {
    type,
    turn: turns.begin(),
    stack,
    excess,
    draft: {},
    plans: {},
    misplaced: new Map(),
    rollouts: noDecision(),
    conditions: new Map(),
    events: [],
    notices: [],
    failures: [],
    unapplied: [],
    leftovers: [],
    explanations: new Map(),
  };
  try {
    if ((await runSteps(state, world)) !== 'stop') await report(state, world);
  } catch (error) {
    // Somebody has changed the stack meanwhile, or removed an optional API. The watches bring the change, and the stack is
    // looked at again.
    if (!isConflict(error) && !isNotServed(error)) {
      // Even if the report fails, the error itself must be thrown.
      if (lasting && state.interruption !== undefined) await report(state, world).catch(() => undefined);
      throw error;
    }
    return { retry: 'soon', waitsFor: [], follows: [] };
  }
  // A stack that was not planned reserves nothing.
  if (state.rendered === undefined) world.devices.reserve(stackKeyOf(stack), []);
  recordEvents(state, world);
  return {
    requeueAfterMs: state.requeueAfterMs,
    retry: state.failures.length > 0 ? 'later' : undefined,
    ...interestsOf(state),
    rival: state.rival,
  };
}

/** A workload without GPUs that waits for a node waits for any change of the nodes, not for a resource. */
const ANY_NODE = '';

export function interestsOf(state: State): Pick<ReconcileResult, 'waitsFor' | 'follows'> {
  const { rendered, plans, rollouts, misplaced } = state;
  const applications = Object.entries(rendered?.applications ?? {});
  const resources = (chosen: typeof applications): string[] =>
    chosen.map(([, { gpu }]) => gpu?.resourceName ?? ANY_NODE);
  const waiting = applications.filter(([name]) => rollouts.held.has(name) || plans[name]?.missing !== undefined);
  return {
    waitsFor: unique([...resources(waiting), ...(misplaced.size > 0 ? [ANY_NODE] : [])]),
    follows: unique(resources(applications.filter(([, { rollout, gpu }]) => rollout === 'auto' && gpu !== undefined))),
  };
}

function unique(resources: readonly string[]): string[] {
  return [...new Set(resources)];
}

async function runSteps(state: State, world: World): Promise<'report' | 'stop'> {
  for (const step of STEPS) {
    await state.turn.yieldIfDue();
    const outcome = await step.run(state, world);
    if (outcome !== 'next') return outcome;
  }
  return 'report';
}
