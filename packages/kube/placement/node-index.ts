import type { NodeView, Taint } from './node-view.ts';
import type { BitSet } from './bit-set.ts';
import { LabelIndex, type Labelled } from './label-index.ts';

/**
 * The nodes of a cluster, found by what pods ask of them. A new one is made when nodes change; until then its results serve every
 * pod.
 */
export class NodeIndex extends LabelIndex<NodeView> {
  readonly ready: BitSet;
  readonly cordoned: BitSet;
  /** Most nodes share their taints with others. */
  readonly tainted: readonly { readonly taints: readonly Taint[]; readonly nodes: BitSet }[];
  readonly #positions = new Map<string, number>();
  readonly #devices = new Map<string, BitSet>();
  #names: Labelled | undefined;

  constructor(nodes: readonly NodeView[]) {
    super(nodes);
    this.ready = this.none();
    this.cordoned = this.none();
    const tainted = new Map<string, { taints: readonly Taint[]; nodes: BitSet }>();
    for (const [position, { name, ready, cordoned, devices, taints }] of nodes.entries()) {
      this.#positions.set(name, position);
      if (ready) this.ready.add(position);
      if (cordoned) this.cordoned.add(position);
      for (const resource in devices) {
        if ((devices[resource] ?? 0) > 0) this.addTo(this.#devices, resource, position);
      }
      if (taints.length === 0) continue;
      const key = JSON.stringify(taints);
      const group = tainted.get(key) ?? { taints, nodes: this.none() };
      group.nodes.add(position);
      tainted.set(key, group);
    }
    this.tainted = [...tainted.values()];
  }

  positionOf(node: string): number | undefined {
    return this.#positions.get(node);
  }

  /** Nodes that have at least one of a device. */
  withDevice(resource: string): BitSet {
    return this.#devices.get(resource) ?? this.nothing;
  }

  /** Besides its labels, only the name of a node can be selected. */
  field(key: string): Labelled {
    if (key !== 'metadata.name') return this.nowhere;
    this.#names ??= this.group(({ name }) => name);
    return this.#names;
  }
}
