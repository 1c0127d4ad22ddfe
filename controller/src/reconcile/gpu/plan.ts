import type { GpuRequest } from '../../../../packages/render/model.ts';
import { shortened } from '../../../../packages/lib/message.ts';
import { lacksNodes } from '../../../../packages/kube/placement/misplaced.ts';
import type { BitSet } from '../../../../packages/kube/placement/bit-set.ts';
import type { Placement } from '../../../../packages/kube/placement/placement.ts';
import type { Capacity } from './capacity.ts';
import { deviceName, whyNone } from './describe.ts';

/** One application's need. */
export interface GpuDemand {
  readonly name: string;
  readonly gpu: GpuRequest;
  readonly placement: Placement;
  /** Pods that are wanted. */
  readonly replicas: number;
  /** Pods that have their node, and their GPUs, already. */
  readonly placed: number;
  /** Pods that have no node, and will not get one just because leaving pods end. */
  readonly waiting?: number;
}

/** GPUs on a node, for one or more pods. */
export interface Slot {
  readonly node: string;
  readonly resource: string;
  readonly amount: number;
}

/** What a rollout is about to take. */
export interface Reserved extends Slot {
  readonly application: string;
}

export interface GpuPlan {
  /** What is missing, in a sentence, when not all wanted pods find their GPUs. */
  readonly missing: string | undefined;
  /** Where the pods that have no node yet find them. */
  readonly slots: readonly Slot[];
}

/** Places the pods of one application on what is free and takes it away from there, so that the next one sees what is left. */
export function planApplication(demand: GpuDemand, capacity: Capacity): GpuPlan {
  const nodes = nodesFor(demand, capacity);
  // A rollout that adds a pod before it removes one has more pods than wanted, and the new one may be the one without a node.
  const wanted = Math.max(0, demand.replicas - demand.placed, demand.waiting ?? 0);
  const slots = takeSlots(demand.gpu, wanted, nodes, capacity);
  const found = slots.reduce((sum, { amount }) => sum + amount, 0) / demand.gpu.count;
  return { slots, missing: found === wanted ? undefined : describeMissing(demand, capacity, nodes, wanted - found) };
}

/** The nodes that have the GPUs and take the pods, whether they are free or not. */
export function nodesFor({ gpu, placement }: Pick<GpuDemand, 'gpu' | 'placement'>, capacity: Capacity): BitSet {
  return capacity.matching(placement).copy().keepOnly(capacity.index.withDevice(gpu.resourceName));
}

/** Takes GPUs for some pods on the first of the nodes that have them free. */
export function takeSlots(
  { resourceName, count }: GpuRequest,
  pods: number,
  nodes: BitSet,
  capacity: Capacity,
): Slot[] {
  const slots: Slot[] = [];
  let left = pods;
  if (left <= 0) return slots;
  for (const position of nodes.positions()) {
    const fits = Math.min(left, Math.floor(capacity.free(resourceName, position) / count));
    if (fits <= 0) continue;
    const node = capacity.index.items[position]?.name ?? '';
    const slot = { node, resource: resourceName, amount: fits * count };
    capacity.take(position, slot);
    slots.push(slot);
    left -= fits;
    if (left === 0) break;
  }
  return slots;
}

function describeMissing(demand: GpuDemand, capacity: Capacity, nodes: BitSet, pods: number): string {
  const who = lacksNodes(`Application ${demand.name}`, pods);
  const beginning = `${who}: no node has ${demand.gpu.count} free ${deviceName(demand)}: `;
  return shortened(`${beginning}${whyNone(demand, capacity, nodes, beginning.length)}.`);
}
