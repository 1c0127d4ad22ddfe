import type { GpuRequest } from '../../../../packages/render/model.ts';
import type { Capacity } from '../gpu/capacity.ts';
import { nodesFor, takeSlots, type Slot } from '../gpu/plan.ts';
import { placedPods, type LiveApplication } from '../live-application.ts';
import type { BitSet } from '../../../../packages/kube/placement/bit-set.ts';
import { placementOf, type Placement } from '../../../../packages/kube/placement/placement.ts';
import { requestsOf } from '../../../../packages/kube/pods/requests.ts';
import { type PodView } from '../pod-view.ts';
import { forbiddenFor, type Forbidden } from './forbidden.ts';
import type { Neighbours } from './neighbours.ts';

/** By resource. */
export type Amounts = Readonly<Record<string, number>>;

/** What a new pod of an application needs beside the existing pods, and whether the nodes have it. */
export class Need {
  readonly gpu: GpuRequest | undefined;
  readonly placement: Placement;
  /** Nodes that would take the pod if they were empty. */
  readonly nodes: BitSet;
  /** A resource of which even an empty node, among those that would otherwise take the pod, has too little. */
  readonly beyond: string | undefined;
  /** The application's pods, by the positions of their nodes. */
  readonly #placed: ReadonlyMap<number, readonly PodView[]>;
  readonly #capacity: Capacity;
  readonly #forbidden: (beside: 'all' | 'others') => Forbidden;

  constructor(application: LiveApplication, neighbours: Neighbours, capacity: Capacity) {
    const { component, namespace, template } = application;
    const { gpu } = application.rendered;
    const { index } = capacity;
    const placement = placementOf(template.spec);
    this.gpu = gpu;
    this.placement = placement;
    const nodes = gpu === undefined ? capacity.matching(placement).copy() : nodesFor({ gpu, placement }, capacity);
    // Messages about GPUs say more, and are written elsewhere.
    const asks = Object.entries(requestsOf(template.spec, (resource) => resource !== gpu?.resourceName));
    const isBeyond = ([resource, amount]: [string, number]): boolean =>
      nodes.keepOnly(capacity.having(resource, amount)).isEmpty;
    this.beyond = nodes.isEmpty ? undefined : asks.find(isBeyond)?.[0];
    this.nodes = nodes;
    this.#placed = Map.groupBy(placedPods(application), ({ node = '' }) => index.positionOf(node) ?? -1);
    this.#capacity = capacity;
    const pod = { component, namespace, template, placement };
    this.#forbidden = (beside) => forbiddenFor(pod, neighbours, index, { beside });
  }

  /** Whether a node has room for one more pod, and which rules forbid the nodes that would have room. */
  room(): { readonly found: boolean; readonly forbiddenBy: readonly string[] } {
    const { nodes, by } = this.#forbidden('all');
    // The cpu and memory of nodes are not counted here, so only a rule can keep away an application without GPUs.
    if (this.gpu === undefined && by.length === 0 && this.beyond === undefined) return { found: true, forbiddenBy: [] };
    if (this.#fits(this.nodes.copy().removeAll(nodes), () => [])) return { found: true, forbiddenBy: [] };
    return { found: false, forbiddenBy: this.#fits(this.nodes, () => []) ? by : [] };
  }

  /**
   * Whether a new pod would find a node if one old pod, or all of them, were gone. The pods that go must have held as much as `asks`.
   */
  fitsWithout(pods: 'one' | 'all', asks?: Amounts): boolean {
    const { index } = this.#capacity;
    if (index.items.length === 0) return true;
    const allowed = this.nodes.copy().removeAll(this.#forbidden('others').nodes);
    if (pods === 'all') return this.#fits(allowed, (position) => [this.#placed.get(position) ?? []], asks);
    return this.#fits(allowed, (position) => (this.#placed.get(position) ?? []).map((pod) => [pod]), asks);
  }

  /** What a waiting pod asks for besides GPUs, which are counted by node. */
  besidesGpus({ requests, devices }: PodView): Amounts {
    const others = Object.entries(devices).filter(([resource]) => resource !== this.gpu?.resourceName);
    return { ...requests, ...Object.fromEntries(others) };
  }

  /** What nodes would have free in addition if all old pods were gone. */
  get freed(): ReadonlyMap<number, number> {
    const { resourceName = '' } = this.gpu ?? {};
    return new Map([...this.#placed].map(([position, pods]) => [position, devicesOf(pods, resourceName)]));
  }

  /** Takes the GPUs for one more pod, so that nobody else counts on them. */
  take(): readonly Slot[] {
    if (this.gpu === undefined) return [];
    const allowed = this.nodes.copy().removeAll(this.#forbidden('all').nodes);
    return takeSlots(this.gpu, 1, allowed, this.#capacity);
  }

  /** Whether a node has what a pod needs once some of its pods are gone. `gone` lists the sets of pods that may go from a node. */
  #fits(nodes: BitSet, gone: (position: number) => readonly (readonly PodView[])[], asks?: Amounts): boolean {
    if (this.gpu === undefined && asks === undefined) return !nodes.isEmpty;
    const { resourceName = '', count = 0 } = this.gpu ?? {};
    for (const position of nodes.positions()) {
      const free = this.#capacity.free(resourceName, position);
      const ways = gone(position);
      if (asks === undefined && free >= count) return true;
      if (ways.some((pods) => free + devicesOf(pods, resourceName) >= count && covers(pods, asks))) return true;
    }
    return false;
  }
}

function devicesOf(pods: readonly PodView[], resource: string): number {
  return pods.reduce((sum, { devices }) => sum + (devices[resource] ?? 0), 0);
}

/** Whether pods that go held as much as `asks`. */
function covers(pods: readonly PodView[], asks: Amounts = {}): boolean {
  const held = ({ requests, devices }: PodView, resource: string): number =>
    requests[resource] ?? devices[resource] ?? 0;
  return Object.entries(asks).every(
    ([resource, amount]) => pods.reduce((sum, pod) => sum + held(pod, resource), 0) >= amount,
  );
}
