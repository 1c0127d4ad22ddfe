import { PRODUCT_LABEL } from '../../render/gpu.ts';
import type { GpuRequest, RolloutStrategy } from '../../render/model.ts';
import { LINE_LIMIT, names, shortened } from '../../message.ts';
import { missesPlaces } from '../placement/misplaced.ts';
import { describeObstacles, lacking, obstacles } from '../placement/obstacles.ts';
import type { NodeSet } from '../placement/node-set.ts';
import type { Placement } from '../placement/placement.ts';
import type { Capacity } from './capacity.ts';

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

/** Places one application on what is free and takes it away from there, so that the next one sees what is left. */
export function planApplication(demand: GpuDemand, capacity: Capacity): GpuPlan {
  const { count, resourceName } = demand.gpu;
  const nodes = capacity.matching(demand.placement).copy().keepOnly(capacity.index.withDevice(resourceName));
  // A rollout that adds before it removes has more pods than are wanted, and the new one may be the one without a place.
  const wanted = Math.max(0, demand.replicas - demand.placed, demand.waiting ?? 0);
  let placed = 0;
  let room = false;
  for (const position of nodes.positions()) {
    const free = capacity.free(resourceName, position);
    const fits = Math.min(wanted - placed, Math.floor(free / count));
    if (fits > 0) capacity.take(resourceName, position, fits * count);
    placed += fits;
    room = placed === wanted && free - fits * count >= count;
    if (room) break;
  }
  return {
    ...chooseStrategy(demand, room),
    missing: placed === wanted ? undefined : describeMissing(demand, capacity, nodes, wanted - placed),
  };
}

function chooseStrategy(demand: GpuDemand, room: boolean): Pick<GpuPlan, 'strategy' | 'reason'> {
  const devices = `${demand.gpu.count} more free ${deviceName(demand)}`;
  if (room) return { strategy: 'surge', reason: `A node has ${devices} for a new pod.` };
  const why = `No matching node has ${devices}`;
  return demand.replicas > 1
    ? { strategy: 'inPlace', reason: `${why}, so a change replaces one pod after the other.` }
    : { strategy: 'recreate', reason: `${why}, so a change ends the old pod before the new one starts.` };
}

function describeMissing(demand: GpuDemand, capacity: Capacity, nodes: NodeSet, pods: number): string {
  const { name, gpu } = demand;
  const who = missesPlaces(`Application ${name}`, pods);
  const beginning = `${who}: no node has ${gpu.count} free ${deviceName(demand)}: `;
  return shortened(`${beginning}${whyNot(demand, capacity, nodes, LINE_LIMIT - beginning.length - 1)}.`);
}

function whyNot(demand: GpuDemand, capacity: Capacity, nodes: NodeSet, room: number): string {
  const { index } = capacity;
  const { resourceName } = demand.gpu;
  if (index.nodes.length === 0) return 'the cluster has no nodes';
  if (!nodes.isEmpty) {
    const { size } = nodes;
    let most = 0;
    for (const position of nodes.positions()) most = Math.max(most, capacity.free(resourceName, position));
    return `${size === 1 ? '1 node matches' : `${size} nodes match`}, at most ${most} free`;
  }
  const equipped = index.withDevice(resourceName);
  const other = otherProducts(demand, capacity, equipped);
  if (other.length > 0) return `the cluster has ${names(other)}`;
  const lack = lacking(index, demand.placement, equipped);
  if (lack !== undefined) return `none ${lack}`;
  const others = index.nodes.length - equipped.size;
  const found = new Map(obstacles(index, demand.placement, equipped));
  if (others > 0) found.set(`has no ${resourceName}`, others);
  return describeObstacles(found, room);
}

/** Room for the devices' name in a sentence that has more to say. */
const DEVICE_LIMIT = 70;

/** The product that is asked for, where one is: it says more than the resource's name. */
function deviceName(demand: GpuDemand): string {
  const products = wantedProducts(demand);
  return shortened(products.length === 0 ? demand.gpu.resourceName : products.join(' or '), DEVICE_LIMIT);
}

function wantedProducts({ placement: { nodeSelector, terms = [] } }: GpuDemand): readonly string[] {
  const selected = nodeSelector?.[PRODUCT_LABEL];
  if (selected !== undefined) return [selected];
  for (const { matchExpressions = [] } of terms) {
    const product = matchExpressions.find(({ key, operator }) => key === PRODUCT_LABEL && operator === 'In');
    if (product?.values !== undefined) return product.values;
  }
  return [];
}

/** The products that there are, where none of them is the one that is asked for: it may be misspelt. */
function otherProducts(demand: GpuDemand, { index }: Capacity, equipped: NodeSet): readonly string[] {
  const wanted = wantedProducts(demand);
  if (wanted.length === 0) return [];
  const present = new Set<string>();
  for (const position of equipped.positions()) {
    const product = index.nodes[position]?.labels[PRODUCT_LABEL];
    if (product !== undefined) present.add(product);
  }
  return wanted.some((product) => present.has(product)) ? [] : [...present].sort();
}
