import type { Change } from '../../../../packages/kube/watch/store.ts';
import type { PodView } from '../pod-view.ts';
import type { Slot } from './plan.ts';

/**
 * Told of resources of which less is reserved than before, by the owner whose reservation it was. No pod or node need have changed. What
 * was reserved during a piece of work only concerns those that have counted in the meantime.
 */
type OnFreed = (resources: readonly string[], owner: string, whom: 'all' | 'meanwhile') => void;

/**
 * Which devices, such as GPUs, pods hold on which node. It follows the pods change by change, so that thousands of pods are not
 * counted again for every stack.
 */
export class DevicesInUse {
  readonly #byNode = new Map<string, Map<string, number>>();
  readonly #reserved = new Map<string, Slot[]>();
  readonly #onFreed: OnFreed;
  #version = 0;

  constructor(onFreed: OnFreed = () => undefined) {
    this.#onFreed = onFreed;
  }

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

  /**
   * Keeps devices for the pods of an owner, instead of what was kept for it before. `since` is what was kept when the work on the owner
   * began, if that has changed it already: what was not kept then was free for everybody who has not counted in the meantime.
   */
  reserve(owner: string, slots: readonly Slot[], since?: readonly Slot[]): void {
    const before = this.reservedFor(owner);
    this.forget(owner);
    for (const slot of slots) this.reserveMore(owner, slot);
    const freed = freedBy(since ?? before, slots);
    const passing = freedBy(before, slots).filter((resource) => !freed.includes(resource));
    if (freed.length > 0) this.#onFreed(freed, owner, 'all');
    if (passing.length > 0) this.#onFreed(passing, owner, 'meanwhile');
  }

  /** Gives up what was kept for an owner for a moment only, which nobody has to be told. */
  forget(owner: string): void {
    for (const slot of this.reservedFor(owner)) this.#count(heldBy(slot), -1);
    this.#reserved.delete(owner);
  }

  reserveMore(owner: string, slot: Slot): void {
    const slots = this.#reserved.get(owner);
    if (slots === undefined) this.#reserved.set(owner, [slot]);
    else slots.push(slot);
    this.#count(heldBy(slot), 1);
  }

  /** For a new term, which knows of no pods that are about to be made. */
  forgetReservations(): void {
    for (const owner of [...this.#reserved.keys()]) this.forget(owner);
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

/** Resources of which less is kept on a node after the change than before it. */
function freedBy(before: readonly Slot[], after: readonly Slot[]): string[] {
  const left = new Map<string, number>();
  const placeOf = ({ node, resource }: Slot): string => `${node} ${resource}`;
  for (const slot of before) left.set(placeOf(slot), (left.get(placeOf(slot)) ?? 0) + slot.amount);
  for (const slot of after) left.set(placeOf(slot), (left.get(placeOf(slot)) ?? 0) - slot.amount);
  const freed = before.filter((slot) => (left.get(placeOf(slot)) ?? 0) > 0);
  return [...new Set(freed.map(({ resource }) => resource))];
}

function heldBy({ node, resource, amount }: Slot): Pick<PodView, 'node' | 'devices'> {
  return { node, devices: { [resource]: amount } };
}
