import type { Change } from '../../runtime/store.ts';
import type { PodView } from '../pod-view.ts';

/**
 * Which devices, such as GPUs, pods hold on which node. It follows the pods change by change: thousands of pods are not to be counted
 * again for every stack.
 */
export class DevicesInUse {
  readonly #byNode = new Map<string, Map<string, number>>();

  /** What running and starting pods hold of a resource on a node. */
  on(node: string, resource: string): number {
    return this.#byNode.get(node)?.get(resource) ?? 0;
  }

  update({ before, after }: Pick<Change<Pick<PodView, 'node' | 'devices'>>, 'before' | 'after'>): void {
    if (before !== undefined) this.#count(before, -1);
    if (after !== undefined) this.#count(after, 1);
  }

  #count({ node, devices }: Pick<PodView, 'node' | 'devices'>, sign: 1 | -1): void {
    if (node === undefined) return;
    const held = this.#byNode.get(node) ?? new Map<string, number>();
    for (const [resource, amount] of Object.entries(devices)) {
      const sum = (held.get(resource) ?? 0) + sign * amount;
      if (sum > 0) held.set(resource, sum);
      else held.delete(resource);
    }
    if (held.size > 0) this.#byNode.set(node, held);
    else this.#byNode.delete(node);
  }
}
