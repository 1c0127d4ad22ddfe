import { frozenDefaults, OPERATOR_DEFAULTS } from '../../api/defaults.ts';
import { GATEWAY } from '../../api/names.ts';
import { own } from '../../api/values.ts';
import { effectiveSpec } from '../../render/effective.ts';
import type { RenderResult, RolloutStrategy } from '../../render/model.ts';
import { sentences } from '../../message.ts';
import { applicationComponent } from '../../render/names.ts';
import { renderParts } from '../../render/render.ts';
import { isRolling } from '../deployment-view.ts';
import { Capacity } from '../gpu/capacity.ts';
import { planApplication, type GpuDemand, type GpuPlan } from '../gpu/plan.ts';
import {
  gatewayDeployment,
  liveApplications,
  podsByComponent,
  podSpecOf,
  type LiveApplication,
} from '../live-application.ts';
import { misplaced } from '../placement/misplaced.ts';
import { placementOf } from '../placement/placement.ts';
import type { PodView } from '../pod-view.ts';
import { ownerReferenceTo } from '../stack-view.ts';
import { setCondition, type Outcome, type State, type World } from '../state.ts';

/** Renders the stack, with the way of replacing pods that the free GPUs allow. */
export async function plan(state: State, world: World): Promise<Outcome> {
  state.draft.defaults = frozenDefaults(state.stack);
  state.spec = effectiveSpec(state.stack.spec);
  const recorded = recordedRollouts(state);
  const first = await renderWith(state, world, recorded);
  const applications = liveApplications(state.stack, world, first);
  const capacity = new Capacity(world.nodes(), world.devices);
  state.plans = await planGpus(capacity, applications, world);
  explainPlaces(state, world, capacity, first, applications);
  const rollouts = { ...recorded, ...(await newRollouts(state, world, applications, recorded)) };
  state.rollouts = rollouts;
  const changed = Object.entries(rollouts).some(([name, strategy]) => recorded[name] !== strategy);
  state.rendered = changed ? await renderWith(state, world, rollouts) : first;
  reportGpus(state);
  return 'next';
}

async function renderWith(
  state: State,
  world: World,
  rollouts: Readonly<Record<string, RolloutStrategy>>,
): Promise<RenderResult> {
  const parts = renderParts(state.stack, {
    capabilities: world.capabilities(),
    defaults: frozenDefaults(state.stack),
    operatorDefaults: OPERATOR_DEFAULTS,
    rollouts,
  });
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await world.turns.over();
  }
}

function recordedRollouts({ stack }: State): Record<string, RolloutStrategy> {
  const recorded: Record<string, RolloutStrategy> = {};
  for (const [name, { rollout }] of Object.entries(stack.status?.applications ?? {})) {
    if (rollout !== undefined) recorded[name] = rollout;
  }
  return recorded;
}

/**
 * The strategies to begin with now: only for applications that are new, or that are idle and about to change. A rollout
 * keeps the strategy that it started with, and free GPUs that come and go change nothing by themselves.
 */
async function newRollouts(
  state: State,
  world: World,
  applications: readonly LiveApplication[],
  recorded: Readonly<Record<string, RolloutStrategy>>,
): Promise<Record<string, RolloutStrategy>> {
  const chosen: Record<string, RolloutStrategy> = {};
  for (const { name, rendered, deployment, live } of applications) {
    const plan = state.plans[name];
    if (rendered.rollout !== 'auto' || plan === undefined) continue;
    const rolling = live?.details !== undefined && isRolling(live.details);
    const ownership = { owner: ownerReferenceTo(state.stack), kept: false };
    const settled = deployment !== undefined && world.applier.isApplied(deployment, ownership);
    if (own(recorded, name) === undefined || (!rolling && !settled)) chosen[name] = plan.strategy;
    await world.turns.over();
  }
  return chosen;
}

/** Says which label no node has, of workloads whose pods the scheduler finds no node for. */
function explainPlaces(
  state: State,
  world: World,
  capacity: Capacity,
  rendered: RenderResult,
  applications: readonly LiveApplication[],
): void {
  const explain = (component: string, who: string, pods: readonly PodView[], podSpec: unknown): void => {
    const waiting = pods.filter(({ unschedulable }) => unschedulable).length;
    const why = waiting === 0 ? undefined : misplaced(who, waiting, placementOf(podSpec), capacity);
    if (why !== undefined) state.misplaced.set(component, why);
  };
  const gatewayPods = podsByComponent(state.stack, world).get(GATEWAY) ?? [];
  explain(GATEWAY, 'The gateway', gatewayPods, podSpecOf(gatewayDeployment(rendered)));
  for (const { name, deployment, pods } of applications) {
    explain(applicationComponent(name), `Application ${name}`, pods, podSpecOf(deployment));
  }
}

async function planGpus(
  capacity: Capacity,
  applications: readonly LiveApplication[],
  { turns }: World,
): Promise<Record<string, GpuPlan>> {
  const plans: Record<string, GpuPlan> = {};
  for (const application of applications) {
    const { gpu, exclusiveCache } = application.rendered;
    const plan: GpuPlan =
      gpu === undefined
        ? { strategy: 'surge', reason: 'The application asks for no GPU.', missing: undefined }
        : planApplication(demandOf(application, gpu), capacity);
    plans[application.name] = withCache(plan, exclusiveCache);
    await turns.over();
  }
  return plans;
}

/** A new pod that waits for the cache of the old one waits for ever if the old one waits for the new one. */
function withCache(plan: GpuPlan, mode: string | undefined): GpuPlan {
  if (mode === undefined) return plan;
  const reason = `The model cache is ${mode}, so a change ends the old pod before the new one starts.`;
  return { ...plan, strategy: 'recreate', reason };
}

function demandOf({ name, rendered, deployment, live, pods }: LiveApplication, gpu: GpuDemand['gpu']): GpuDemand {
  const placed = pods.filter(({ node }) => node !== undefined);
  const unplaced = pods.filter(({ node, leaving, devices }) => {
    return node === undefined && !leaving && (devices[gpu.resourceName] ?? 0) > 0;
  });
  return {
    name,
    gpu,
    placement: placementOf(podSpecOf(deployment)),
    replicas: rendered.replicas ?? live?.details?.replicas ?? 1,
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
