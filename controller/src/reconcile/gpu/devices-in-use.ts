import type { Change } from '../../../../packages/kube/watch/store.ts';
import type { PodView } from '../pod-view.ts';
import type { Slot } from './plan.ts';

/**
 * Which devices, such as GPUs, pods hold on which node. It follows the pods change by change, so that thousands of pods are not
 * counted again for every stack.
 */
export class DevicesInUse {
  readonly #byNode = new Map<string, Map<string, number>>();
  readonly #reserved = new Map<string, Slot[]>();
  #version = 0;

  /** A new number after each change, so that others know when to count again. */
  get version(): number {
    return this.#version;
  }

  /** What running and starting pods hold of a resource on a node, and what is reserved for pods that are about to come. */
  on(node: string, resource: string): number {
    return this.#byNode.get(node)?.get(resource) ?? 0;
  }

  update({ before, after }: Pick<Change<Pick<PodView, 'node' | 'devices'>>, 'before' | 'after'>): void {
    if (before !== undefined) this.#count(before, -1);
    if (after !== undefined) this.#count(after, 1);
  }

  reservedFor(owner: string): readonly Slot[] {
    return this.#reserved.get(owner) ?? [];
  }

  /** Keeps devices for the pods of an owner, instead of what was kept for it before. */
  reserve(owner: string, slots: readonly Slot[]): void {
    for (const slot of this.reservedFor(owner)) this.#count(heldBy(slot), -1);
    this.#reserved.delete(owner);
    for (const slot of slots) this.reserveMore(owner, slot);
  }

  reserveMore(owner: string, slot: Slot): void {
    const slots = this.#reserved.get(owner);
    if (slots === undefined) this.#reserved.set(owner, [slot]);
    else slots.push(slot);
    this.#count(heldBy(slot), 1);
  }

  /** For a new term, which knows of no pods that are about to be made. */
  forgetReservations(): void {
    for (const owner of [...this.#reserved.keys()]) this.reserve(owner, []);
  }

  #count({ node, devices }: Pick<PodView, 'node' | 'devices'>, sign: 1 | -1): void {
    if (node === undefined) return;
    const held = this.#byNode.get(node) ?? new Map<string, number>();
    for (const [resource, amount] of Object.entries(devices)) {
      const sum = (held.get(resource) ?? 0) + sign * amount;
      if (sum > 0) held.set(resource, sum);
      else held.delete(resource);
      this.#version += 1;
    }
    if (held.size > 0) this.#byNode.set(node, held);
    else this.#byNode.delete(node);
  }
}

function heldBy({ node, resource, amount }: Slot): Pick<PodView, 'node' | 'devices'> {
  return { node, devices: { [resource]: amount } };
}
