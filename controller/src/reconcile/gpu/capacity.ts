import { matching } from '../../../../packages/kube/placement/match.ts';
import type { BitSet } from '../../../../packages/kube/placement/bit-set.ts';
import type { NodeIndex } from '../../../../packages/kube/placement/node-index.ts';
import type { Placement } from '../../../../packages/kube/placement/placement.ts';
import { isExtendedResource } from '../../../../packages/kube/pods/requests.ts';
import type { DevicesInUse } from './devices-in-use.ts';
import type { Slot } from './plan.ts';

/**
 * What the nodes have free for the pods of a stack, for one reconciliation. What one application takes is gone for the next one, and for other
 * stacks that are planned at the same time.
 */
export class Capacity {
  readonly index: NodeIndex;
  readonly #devices: DevicesInUse;
  /** What was reserved for the stack before. It is counted again, and nobody else may take it meanwhile. */
  readonly #before: readonly Slot[];
  /** The owner of what is reserved during planning. */
  readonly #owner: string;
  /** By resource, and then by the position of the node; as of a version of the devices in use. */
  readonly #free = new Map<string, Float64Array>();
  #version = NaN;
  /** Most applications ask the same of a node, so each distinct placement is compared with the nodes once. */
  readonly #matching = new Map<string, BitSet>();

  readonly #having = new Map<string, BitSet>();

  constructor(index: NodeIndex, devices: DevicesInUse, stack = '') {
    this.index = index;
    this.#devices = devices;
    this.#before = devices.reservedFor(stack);
    this.#owner = `${stack} is being planned`;
  }

  /** The nodes that pods may run on. Do not change the set. */
  matching(placement: Placement): BitSet {
    const key = JSON.stringify(placement);
    const known = this.#matching.get(key) ?? matching(this.index, placement);
    this.#matching.set(key, known);
    return known;
  }

  /** Nodes that would have as much of a resource if no pod ran there. */
  having(resource: string, amount: number): BitSet {
    const key = `${resource} ${amount}`;
    const known = this.#having.get(key);
    if (known !== undefined) return known;
    const set = this.index.none();
    for (const [position, { devices, allocatable }] of this.index.items.entries()) {
      const most = isExtendedResource(resource) ? (devices[resource] ?? 0) : (allocatable?.[resource] ?? Infinity);
      if (most >= amount) set.add(position);
    }
    this.#having.set(key, set);
    return set;
  }

  /** Free devices on a node, by its position: allocatable minus what pods hold, what was taken, and what others have reserved. */
  free(resource: string, position: number): number {
    return this.#freeOf(resource)[position] ?? 0;
  }

  take(position: number, slot: Slot): void {
    const free = this.#freeOf(slot.resource);
    this.#devices.reserveMore(this.#owner, slot);
    free[position] = (free[position] ?? 0) - slot.amount;
    this.#version = this.#devices.version;
  }

  /** Gives back what planning has taken. Other reservations stay. */
  release(): void {
    this.#devices.forget(this.#owner);
  }

  #freeOf(resource: string): Float64Array {
    if (this.#version !== this.#devices.version) this.#free.clear();
    this.#version = this.#devices.version;
    const free = this.#free.get(resource) ?? this.#count(resource);
    this.#free.set(resource, free);
    return free;
  }

  #count(resource: string): Float64Array {
    const free = new Float64Array(this.index.items.length);
    for (const position of this.index.withDevice(resource).positions()) {
      const { name = '', devices } = this.index.items[position] ?? {};
      free[position] = (devices?.[resource] ?? 0) - this.#devices.on(name, resource);
    }
    for (const { node, amount } of this.#before.filter((slot) => slot.resource === resource)) {
      const position = this.index.positionOf(node);
      if (position !== undefined) free[position] = (free[position] ?? 0) + amount;
    }
    return free.map((amount) => Math.max(0, amount));
  }
}
