import { OPERATOR_DEFAULTS } from '../../../../packages/api/defaults.ts';
import type { RenderResult } from '../../../../packages/render/model.ts';
import { sentences } from '../../../../packages/lib/message.ts';
import { renderParts } from '../../../../packages/render/render.ts';
import { Capacity } from '../gpu/capacity.ts';
import { planApplication, type GpuDemand, type GpuPlan } from '../gpu/plan.ts';
import {
  liveStack,
  placedPods,
  type LiveApplication,
  type LiveComponent,
  type LiveStack,
} from '../live-application.ts';
import { misplaced } from '../../../../packages/kube/placement/misplaced.ts';
import { placementOf } from '../../../../packages/kube/placement/placement.ts';
import { recordedChoices, renderContext, type Choices } from '../render-context.ts';
import { MISSING_MS, type Exclusive } from '../rollout/claim-modes.ts';
import { decideRollouts, type Decision } from '../rollout/decide.ts';
import { exclusiveVolumes } from '../rollout/exclusive.ts';
import { waitForEnd, type Waiting } from '../rollout/leaving.ts';
import { Neighbours } from '../rollout/neighbours.ts';
import { ownerReferenceTo, stackKeyOf } from '../stack-view.ts';
import { lookAgainAfter, setCondition, type Outcome, type State, type World } from '../state.ts';

/** Renders the stack, with the rollout strategy that the free GPUs allow. */
export async function plan(state: State, world: World): Promise<Outcome> {
  const recorded = recordedChoices(state.stack);
  const first = await renderWith(state, world, recorded);
  state.spec = first.spec;
  state.draft.defaults = first.defaults;
  const { applications } = liveStack(state.stack, world, first);
  const exclusive = await exclusiveVolumes(applications, first.objects, world);
  // Pods are looked at as late as possible, since asking for claims takes time.
  await decide(state, world, liveStack(state.stack, world, first), { recorded, exclusive });
  // Claims of users are not watched, so nothing else would show that a change need not wait any longer.
  const waits = [...state.rollouts.held.keys()].some((name) => exclusive.get(name)?.missing === true);
  if (waits) lookAgainAfter(state, MISSING_MS);
  const { choices } = state.rollouts;
  const changed = [...choices].some(([name, { strategy }]) => recorded.get(name)?.strategy !== strategy);
  state.rendered = changed ? await renderWith(state, world, choices, first.spec) : first;
  reportGpus(state);
  return 'next';
}

async function renderWith(
  state: State,
  world: World,
  choices: Choices,
  spec?: RenderResult['spec'],
): Promise<RenderResult> {
  const context = renderContext(world.capabilities(), state.draft.defaults ?? OPERATOR_DEFAULTS, choices);
  const parts = renderParts(state.stack, context, spec);
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await state.turn.yieldIfDue();
  }
}

/** Counts what is free, and takes from it; what rollouts are about to take stays reserved until their pods have it. */
async function decide(
  state: State,
  world: World,
  live: LiveStack,
  known: { readonly recorded: Choices; readonly exclusive: ReadonlyMap<string, Exclusive> },
): Promise<void> {
  const key = stackKeyOf(state.stack);
  const owner = ownerReferenceTo(state.stack);
  state.reservedBefore = world.devices.reservedFor(key);
  const capacity = new Capacity(world.nodes(), world.devices, key);
  try {
    state.plans = await planGpus(capacity, live.applications, state, world);
    await explainPlaces(state, capacity, live);
    state.rollouts = await decideRollouts(live.applications, {
      ...known,
      capacity,
      neighbours: neighboursOf(live, capacity),
      plans: state.plans,
      roomSince: world.roomSince.get(key) ?? new Map<string, number>(),
      isApplied: (deployment) => world.applier.isApplied(deployment, { owner, kept: false }),
      patience: world.patience,
      now: world.now().getTime(),
      turn: state.turn,
    });
    world.devices.reserve(key, state.rollouts.slots);
  } finally {
    capacity.release();
  }
  note(state.rollouts, state, world, key);
}

/** Records what follows from a decision, besides what is applied. */
function note(decision: Decision, state: State, world: World, key: string): void {
  if (decision.roomSince.size > 0) world.roomSince.set(key, decision.roomSince);
  else world.roomSince.delete(key);
  if (decision.lookAfterMs !== undefined) lookAgainAfter(state, decision.lookAfterMs);
  for (const name of decision.rescued) {
    const message = `Application ${name}: ${decision.choices.get(name)?.reason ?? ''}`;
    state.events.push({ type: 'Warning', reason: 'RolloutChanged', message });
  }
  for (const [name, { why, lacksGpus }] of decision.held) {
    const planned = state.plans[name];
    if (planned !== undefined && lacksGpus) state.plans[name] = { ...planned, missing: why };
  }
}

function neighboursOf({ gateway, applications }: LiveStack, { index }: Capacity): Neighbours {
  const components: readonly LiveComponent[] = [gateway, ...applications];
  const neighbours = components.map((each) => {
    const pods = new Map<number, number>();
    for (const { node = '' } of placedPods(each)) {
      const position = index.positionOf(node);
      if (position !== undefined) pods.set(position, (pods.get(position) ?? 0) + 1);
    }
    return { component: each.component, template: each.template, pods };
  });
  return new Neighbours(neighbours);
}

/** Says which label no node has, for workloads whose pods the scheduler finds no node for. */
async function explainPlaces(state: State, capacity: Capacity, { gateway, applications }: LiveStack): Promise<void> {
  const explain = (who: string, { component, template, pods }: LiveComponent): void => {
    const waiting = pods.filter(({ unschedulableSince }) => unschedulableSince !== undefined).length;
    const why = waiting === 0 ? undefined : misplaced(who, waiting, placementOf(template.spec), capacity);
    if (why !== undefined) state.misplaced.set(component, why);
  };
  explain('The gateway', gateway);
  for (const application of applications) {
    explain(`Application ${application.name}`, application);
    await state.turn.yieldIfDue();
  }
}

async function planGpus(
  capacity: Capacity,
  applications: readonly LiveApplication[],
  { turn }: State,
  { patience: { placeMs }, now }: World,
): Promise<Record<string, GpuPlan>> {
  const waiting = { now: now().getTime(), placeMs };
  const plans: Record<string, GpuPlan> = {};
  for (const application of applications) {
    const { gpu } = application.rendered;
    if (gpu !== undefined) plans[application.name] = planApplication(demandOf(application, gpu, waiting), capacity);
    await turn.yieldIfDue();
  }
  return plans;
}

function demandOf(
  { name, template, pods, replicas }: LiveApplication,
  gpu: GpuDemand['gpu'],
  waiting: Waiting,
): GpuDemand {
  // A new pod does not get the place of an old one that never ends.
  const placed = pods.filter((pod) => pod.node !== undefined && !(pod.leaving && waitForEnd([pod], waiting) === 0));
  const unplaced = pods.filter(({ node, leaving, devices }) => {
    return node === undefined && !leaving && (devices[gpu.resourceName] ?? 0) > 0;
  });
  return {
    name,
    gpu,
    placement: placementOf(template.spec),
    replicas,
    placed: placed.length,
    waiting: unplaced.length - placed.filter(({ leaving }) => leaving).length,
  };
}

function reportGpus(state: State): void {
  const applications = Object.values(state.rendered?.applications ?? {});
  const missing = Object.values(state.plans).flatMap((plan) => plan.missing ?? []);
  if (missing.length > 0) {
    setCondition(state, 'GPUsAvailable', 'False', 'InsufficientGPUs', sentences(missing));
  } else if (applications.some(({ gpu }) => gpu !== undefined)) {
    setCondition(state, 'GPUsAvailable', 'True', 'GPUsFound', 'Every pod has its GPUs, or a node that has them free.');
  } else {
    setCondition(state, 'GPUsAvailable', 'True', 'NotRequested', 'No application asks for GPUs.');
  }
}
