import type { ApplicationRollout } from '../../../../packages/api/types.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { isRolling } from '../../../../packages/kube/pods/deployment-view.ts';
import type { Capacity } from '../gpu/capacity.ts';
import type { GpuPlan, Reserved } from '../gpu/plan.ts';
import { placedPods, type LiveApplication } from '../live-application.ts';
import type { Turn } from '../../../../packages/lib/turns.ts';
import { adviseRollout, type Choice, type Hold } from './choice.ts';
import type { Exclusive } from './claim-modes.ts';
import { waitForEnd } from './leaving.ts';
import { Need } from './need.ts';
import type { Neighbours } from './neighbours.ts';
import type { Patience } from './patience.ts';
import { rescueFor } from './rescue.ts';

export interface Circumstances {
  readonly capacity: Capacity;
  readonly neighbours: Neighbours;
  readonly plans: Readonly<Record<string, GpuPlan>>;
  /** What was chosen before, by application. */
  readonly recorded: ReadonlyMap<string, Choice>;
  /** By application: a volume that its old and its new pod cannot share. */
  readonly exclusive: ReadonlyMap<string, Exclusive>;
  /** By application: since when there has been room for one more pod that its present strategy does not use. */
  readonly roomSince: ReadonlyMap<string, number>;
  readonly isApplied: (deployment: RenderedObject) => boolean;
  readonly patience: Patience;
  readonly now: number;
  readonly turn: Turn;
}

/** What becomes of the pods of a stack's applications. */
export interface Decision {
  readonly choices: Map<string, Choice>;
  /** Applications whose change has to wait, and why. */
  readonly held: Map<string, Hold>;
  /**
   * Why nothing of the stack is applied, in a sentence, where its names would change and something has to stay as it was: the gateway reaches
   * applications by their names, and others the gateway.
   */
  keepsNames?: string;
  /** Rollouts that continue with another strategy than they began with. */
  readonly rescued: Set<string>;
  /** Rollouts that are stuck now and will continue with another strategy: nobody else needs to act. */
  readonly rescueDue: Set<string>;
  /** Applications of which only the strategy for replacing pods changes. */
  readonly refreshed: Set<string>;
  /** GPUs that rollouts are about to take. */
  readonly slots: Reserved[];
  readonly roomSince: Map<string, number>;
  /** When to look again, at the latest. */
  lookAfterMs?: number;
}

export function noDecision(): Decision {
  return {
    choices: new Map(),
    held: new Map(),
    rescued: new Set(),
    rescueDue: new Set(),
    refreshed: new Set(),
    slots: [],
    roomSince: new Map(),
  };
}

/** Rollouts in progress are decided first, then those that begin, then idle applications. */
const ORDER = ['rolling', 'changing', 'idle'] as const;

/**
 * How the pods of each application are replaced. A rollout keeps the strategy that it began with, unless it cannot end. One that begins takes
 * its GPUs from what the next one may count on. An idle application is prepared for a restart by hand.
 */
export async function decideRollouts(
  applications: readonly LiveApplication[],
  circumstances: Circumstances,
): Promise<Decision> {
  const decision = noDecision();
  const byMovement: Record<Movement, LiveApplication[]> = { rolling: [], changing: [], idle: [] };
  for (const application of applications) {
    byMovement[movementOf(application, circumstances)].push(application);
    await circumstances.turn.yieldIfDue();
  }
  for (const movement of ORDER) {
    for (const application of byMovement[movement]) {
      DECIDE[movement](application, circumstances, decision);
      await circumstances.turn.yieldIfDue();
    }
  }
  keepNames(applications, decision);
  return decision;
}

function keepNames(applications: readonly LiveApplication[], decision: Decision): void {
  const stays = applications.find((application) => decision.held.has(application.name) && isRenamed(application));
  if (stays === undefined) return;
  const why = `The names of the stack stay as they were until application ${stays.name} can be replaced.`;
  decision.keepsNames = why;
  // Nothing is applied, so no pods are about to come.
  decision.slots.length = 0;
  for (const { name } of applications) {
    if (!decision.held.has(name)) decision.held.set(name, { why, lacksGpus: false });
  }
}

/** Whether pods run that were made under another name: their Deployment would go when the one of the new name is made. */
function isRenamed(application: LiveApplication): boolean {
  return application.live?.details === undefined && placedPods(application).length > 0;
}

type Movement = (typeof ORDER)[number];
type Decide = (application: LiveApplication, circumstances: Circumstances, decision: Decision) => void;

const DECIDE: Readonly<Record<Movement, Decide>> = { rolling: goOn, changing: begin, idle: prepare };

function movementOf({ name, deployment, live }: LiveApplication, { recorded, isApplied }: Circumstances): Movement {
  if (live?.details === undefined || !recorded.has(name)) return 'changing';
  if (isRolling(live.details)) return 'rolling';
  return isApplied(deployment) ? 'idle' : 'changing';
}

function goOn(application: LiveApplication, circumstances: Circumstances, decision: Decision): void {
  const { name, rendered } = application;
  const { capacity, neighbours, recorded, patience, now } = circumstances;
  const need = new Need(application, neighbours, capacity);
  const before = recorded.get(name);
  if (rendered.rollout !== 'auto' || before === undefined) {
    reserve(application, rendered.rollout, need, circumstances, decision);
    return;
  }
  const isExclusive = circumstances.exclusive.has(name);
  const { placeMs } = patience;
  const { choice = before, afterMs } = rescueFor(application, before, need, { now, placeMs, isExclusive });
  if (afterMs !== undefined) {
    lookAfter(decision, afterMs);
    decision.rescueDue.add(name);
  }
  decision.choices.set(name, choice);
  if (choice !== before) decision.rescued.add(name);
  const { hold } = adviseRollout(situationOf(application, need, circumstances));
  if (choice.strategy !== 'surge' && changesPods(application, circumstances) && hold !== undefined) {
    decision.held.set(name, hold);
  }
  reserve(application, choice.strategy, need, circumstances, decision);
}

function begin(application: LiveApplication, circumstances: Circumstances, decision: Decision): void {
  const { name, rendered } = application;
  const need = new Need(application, circumstances.neighbours, circumstances.capacity);
  if (rendered.rollout !== 'auto') {
    reserve(application, rendered.rollout, need, circumstances, decision);
    return;
  }
  const { hold, ...advice } = adviseRollout(situationOf(application, need, circumstances));
  if (hold !== undefined && (isRenamed(application) || changesPods(application, circumstances))) {
    decision.held.set(name, hold);
    decision.choices.set(name, circumstances.recorded.get(name) ?? advice);
    return;
  }
  decision.choices.set(name, advice);
  reserve(application, advice.strategy, need, circumstances, decision);
}

/** Switches at once to a strategy that needs less room. One that needs more must have had the room for a while, since GPUs come and go. */
function prepare(application: LiveApplication, circumstances: Circumstances, decision: Decision): void {
  const { name, rendered } = application;
  const { recorded, roomSince, patience, now } = circumstances;
  const before = recorded.get(name);
  if (rendered.rollout !== 'auto' || before === undefined) return;
  decision.choices.set(name, before);
  if (placedPods(application).length === 0) return;
  // A rollout that has just ended: what its old pods hold is about to be free.
  const leavingMs = waitForEnd(application.pods, { now, placeMs: patience.placeMs });
  if (leavingMs > 0) {
    if (Number.isFinite(leavingMs)) lookAfter(decision, leavingMs);
    return;
  }
  const need = new Need(application, circumstances.neighbours, circumstances.capacity);
  const { strategy, reason } = adviseRollout(situationOf(application, need, circumstances));
  if (strategy === before.strategy) return;
  const since = roomSince.get(name) ?? now;
  const left = strategy === 'surge' ? since + patience.roomMs - now : 0;
  if (left > 0) {
    decision.roomSince.set(name, since);
    lookAfter(decision, left);
    return;
  }
  decision.choices.set(name, { strategy, reason });
  decision.refreshed.add(name);
}

function lookAfter(decision: Decision, ms: number): void {
  decision.lookAfterMs = Math.min(decision.lookAfterMs ?? ms, ms);
}

/** Keeps GPUs for the pod that a rollout adds before it removes one, until that pod has its node. */
function reserve(
  application: LiveApplication,
  strategy: ApplicationRollout,
  need: Need,
  { plans }: Circumstances,
  { slots }: Decision,
): void {
  const { pods, replicas, name } = application;
  if (strategy !== 'surge' || placedPods(application).length === 0) return;
  const present = pods.filter(({ leaving }) => !leaving).length;
  const taken = [...(plans[name]?.slots ?? []), ...(present <= replicas ? need.take() : [])];
  slots.push(...taken.map((slot) => ({ ...slot, application: name })));
}

/** Whether the desired Deployment differs from the live one in more than the number of pods. */
function changesPods({ deployment, live }: LiveApplication, { isApplied }: Circumstances): boolean {
  if (live?.details === undefined || isApplied(deployment)) return false;
  const spec = { ...(deployment['spec'] as object), replicas: live.details.replicas };
  return !isApplied({ ...deployment, spec });
}

function situationOf(
  application: LiveApplication,
  need: Need,
  { capacity, exclusive, plans }: Circumstances,
): Parameters<typeof adviseRollout>[0] {
  const { name } = application;
  const complete = plans[name]?.missing === undefined;
  return { application, need, capacity, exclusive: exclusive.get(name), complete };
}
