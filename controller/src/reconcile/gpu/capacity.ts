import { matching } from '../placement/match.ts';
import type { NodeIndex } from '../placement/node-index.ts';
import type { NodeSet } from '../placement/node-set.ts';
import type { Placement } from '../placement/placement.ts';
import type { DevicesInUse } from './devices-in-use.ts';

/** What the nodes have for the pods of a stack, for one reconciliation: what one application takes the next one does not find. */
export class Capacity {
  readonly index: NodeIndex;
  readonly #used: Pick<DevicesInUse, 'on'>;
  /** By resource, and then by the position of the node. */
  readonly #free = new Map<string, Float64Array>();
  /** Applications mostly want the same of a node, and each distinct wish is compared with the nodes once. */
  readonly #matching = new Map<string, NodeSet>();

  constructor(index: NodeIndex, used: Pick<DevicesInUse, 'on'>) {
    this.index = index;
    this.#used = used;
  }

  /** The nodes that pods may run on: a set that is only to be read. */
  matching(placement: Placement): NodeSet {
    const key = JSON.stringify(placement);
    const known = this.#matching.get(key) ?? matching(this.index, placement);
    this.#matching.set(key, known);
    return known;
  }

  /** Free devices on a node, by its position: allocatable minus what pods hold and what was taken. */
  free(resource: string, position: number): number {
    return this.#freeOf(resource)[position] ?? 0;
  }

  take(resource: string, position: number, amount: number): void {
    const free = this.#freeOf(resource);
    free[position] = (free[position] ?? 0) - amount;
  }

  #freeOf(resource: string): Float64Array {
    const known = this.#free.get(resource);
    if (known !== undefined) return known;
    const free = new Float64Array(this.index.nodes.length);
    for (const position of this.index.withDevice(resource).positions()) {
      const node = this.index.nodes[position];
      const allocatable = node?.devices[resource] ?? 0;
      free[position] = Math.max(0, allocatable - this.#used.on(node?.name ?? '', resource));
    }
    this.#free.set(resource, free);
    return free;
  }
}
