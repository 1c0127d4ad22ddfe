import { isConflict, isNotServed } from '../runtime/api-error.ts';
import type { EventRecorder } from '../runtime/events.ts';
import type { KubernetesObject, ResourceType } from '../runtime/object.ts';
import type { Rival } from './claim.ts';
import type { StoredStack } from './stack-view.ts';
import type { State, Step, World } from './state.ts';
import { apply, declare } from './steps/apply.ts';
import { claim } from './steps/claim.ts';
import { explain } from './steps/explain.ts';
import { namesake } from './steps/namesake.ts';
import { notify } from './steps/notify.ts';
import { plan } from './steps/plan.ts';
import { prune } from './steps/prune.ts';
import { report } from './steps/report.ts';
import { skipDeleted, validate } from './steps/validate.ts';
import { withhold } from './steps/withhold.ts';

/** What a reconciliation does, in this order. After a step that says so only the report follows. */
export const STEPS: readonly Step[] = [
  { name: 'skip-deleted', run: skipDeleted },
  { name: 'claim', run: claim },
  { name: 'namesake', run: namesake },
  { name: 'validate', run: validate },
  { name: 'plan', run: plan },
  { name: 'withhold', run: withhold },
  { name: 'notify', run: notify },
  { name: 'declare', run: declare },
  { name: 'apply', run: apply },
  { name: 'prune', run: prune },
  { name: 'explain', run: explain },
];

export interface ReconcileResult {
  readonly requeueAfterMs?: number;
  /** `soon`: somebody was faster. `later`: something was refused that may be accepted one day. */
  readonly retry?: 'soon' | 'later';
  /** Some pods have no GPUs yet: look again when nodes or pods change. */
  readonly waitsForGpus: boolean;
  /** Whoever keeps us from the stack. */
  readonly rival?: Rival;
}

/** Brings one stack to what its spec says, and its status to what is. */
export async function reconcile(
  type: ResourceType,
  { stack, excess }: StoredStack,
  world: World,
  events: EventRecorder,
): Promise<ReconcileResult> {
  const state: State = {
    type,
    stack,
    excess,
    draft: {},
    plans: {},
    misplaced: new Map(),
    rollouts: {},
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
    // Somebody has changed the stack meanwhile, or removed an optional API: the watches bring it, and then it is looked at
    // again.
    if (!isConflict(error) && !isNotServed(error)) throw error;
    return { retry: 'soon', waitsForGpus: false };
  }
  const about = { ...state.stack } as unknown as KubernetesObject;
  for (const event of state.events) events.record(about, event);
  return {
    requeueAfterMs: state.requeueAfterMs,
    retry: state.failures.length > 0 ? 'later' : undefined,
    waitsForGpus: state.conditions.get('GPUsAvailable')?.status === 'False',
    rival: state.rival,
  };
}

async function runSteps(state: State, world: World): Promise<'report' | 'stop'> {
  for (const step of STEPS) {
    await world.turns.over();
    const outcome = await step.run(state, world);
    if (outcome !== 'next') return outcome;
  }
  return 'report';
}
