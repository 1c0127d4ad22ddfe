import { PRODUCT_LABEL, REQUIRED } from '../../render/gpu.ts';
import type { GpuRequest, RolloutStrategy } from '../../render/model.ts';
import { LINE_LIMIT, names, sentences, shortened } from '../../message.ts';
import type { NodeView } from '../node-view.ts';
import type { PodView } from '../pod-view.ts';
import { mismatch, type Placement } from './match.ts';

/** One application's need. */
export interface GpuDemand {
  readonly name: string;
  readonly gpu: GpuRequest;
  readonly placement: Placement;
  /** Pods that are wanted. */
  readonly replicas: number;
  /** Pods that have their node, and their GPUs, already. */
  readonly placed: number;
  /** Pods that have no node, and will not get one just by the end of others that are leaving. */
  readonly waiting?: number;
}

export interface GpuPlan {
  readonly strategy: RolloutStrategy;
  /** Why that strategy, in a sentence. */
  readonly reason: string;
  /** What is missing, in a sentence, when not all wanted pods find their GPUs. */
  readonly missing: string | undefined;
}

/** Free devices by resource and node. */
export type FreeDevices = Map<string, number>;

/** What is free on each node of one extended resource: allocatable minus what running and starting pods hold. */
export function freeDevices(nodes: Iterable<NodeView>, pods: Iterable<PodView>, resource: string): FreeDevices {
  const free: FreeDevices = new Map();
  for (const node of nodes) {
    const amount = node.devices[resource] ?? 0;
    if (amount > 0) free.set(node.name, amount);
  }
  for (const { node, devices } of pods) {
    const left = node === undefined ? undefined : free.get(node);
    if (node !== undefined && left !== undefined) free.set(node, Math.max(0, left - (devices[resource] ?? 0)));
  }
  return free;
}

/** Places one application on what is free and takes it away from there, so that the next one sees what is left. */
export function planApplication(demand: GpuDemand, nodes: readonly NodeView[], free: FreeDevices): GpuPlan {
  const { count } = demand.gpu;
  const matching = nodes.filter((node) => free.has(node.name) && mismatch(node, demand.placement) === undefined);
  // A rollout that adds before it removes has more pods than are wanted, and the new one may be the one without a place.
  const wanted = Math.max(0, demand.replicas - demand.placed, demand.waiting ?? 0);
  let placed = 0;
  for (const { name } of matching) {
    const fits = Math.min(wanted - placed, Math.floor((free.get(name) ?? 0) / count));
    free.set(name, (free.get(name) ?? 0) - fits * count);
    placed += fits;
  }
  const most = Math.max(0, ...matching.map(({ name }) => free.get(name) ?? 0));
  const label = deviceName(demand);
  return {
    ...chooseStrategy(demand, placed === wanted && most >= count, label),
    missing: placed === wanted ? undefined : describeMissing(demand, nodes, matching, most, wanted - placed),
  };
}

function chooseStrategy(
  { gpu, replicas }: GpuDemand,
  room: boolean,
  label: string,
): Pick<GpuPlan, 'strategy' | 'reason'> {
  if (room) return { strategy: 'surge', reason: `A node has ${gpu.count} more free ${label} for a new pod.` };
  const why = `No matching node has ${gpu.count} more free ${label}`;
  return replicas > 1
    ? { strategy: 'inPlace', reason: `${why}, so a change replaces one pod after the other.` }
    : { strategy: 'recreate', reason: `${why}, so a change ends the old pod before the new one starts.` };
}

function describeMissing(
  demand: GpuDemand,
  nodes: readonly NodeView[],
  matching: readonly NodeView[],
  most: number,
  pods: number,
): string {
  const { name, gpu } = demand;
  const label = deviceName(demand);
  const who = `Application ${name} misses ${pods === 1 ? 'a place for 1 pod' : `places for ${pods} pods`}`;
  const nobody = `no node has ${gpu.count} free ${label}`;
  if (matching.length > 0) {
    const match = matching.length === 1 ? '1 node matches' : `${matching.length} nodes match`;
    return shortened(`${who}: ${nobody}: ${match}, at most ${most} free.`);
  }
  const beginning = `${who}: ${nobody}: `;
  const other = otherProducts(demand, nodes);
  if (other.length > 0) return shortened(`${beginning}the cluster has ${names(other)}.`);
  return shortened(`${beginning}${whyNot(demand, nodes, LINE_LIMIT - beginning.length - 1)}.`);
}

/** Groups the nodes by what keeps the pods away from them, the most frequent first. */
function whyNot({ gpu, placement }: GpuDemand, nodes: readonly NodeView[], room: number): string {
  if (nodes.length === 0) return 'the cluster has no nodes';
  const reasons = new Map<string, number>();
  for (const node of nodes) {
    const reason =
      (node.devices[gpu.resourceName] ?? 0) === 0 ? `has no ${gpu.resourceName}` : mismatch(node, placement);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const groups = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} ${count === 1 ? 'node' : 'nodes, each'} ${reason}`);
  return sentences(groups, room);
}

/** Room for the devices' name in a sentence that has more to say. */
const DEVICE_LIMIT = 70;

/** The product that is asked for, where one is: it says more than the resource's name. */
function deviceName(demand: GpuDemand): string {
  const products = wantedProducts(demand);
  return shortened(products.length === 0 ? demand.gpu.resourceName : products.join(' or '), DEVICE_LIMIT);
}

function wantedProducts({ placement }: GpuDemand): readonly string[] {
  const terms = placement.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const required = terms.flatMap(({ matchExpressions = [] }) => matchExpressions);
  const selected = placement.nodeSelector?.[PRODUCT_LABEL];
  if (selected !== undefined) return [selected];
  return required.find(({ key, operator }) => key === PRODUCT_LABEL && operator === 'In')?.values ?? [];
}

/** The products that there are, where none of them is the one that is asked for: it may be misspelt. */
function otherProducts(demand: GpuDemand, nodes: readonly NodeView[]): readonly string[] {
  const wanted = wantedProducts(demand);
  const present = new Set(
    nodes
      .filter(({ devices }) => (devices[demand.gpu.resourceName] ?? 0) > 0)
      .flatMap(({ labels }) => labels[PRODUCT_LABEL] ?? []),
  );
  return wanted.length === 0 || wanted.some((product) => present.has(product)) ? [] : [...present].sort();
}
