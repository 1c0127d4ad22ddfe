import type { NodeView, Taint } from '../node-view.ts';
import { NodeSet } from './node-set.ts';

/** Nodes by the values of one label. All sets are only to be read. */
export interface LabelledNodes {
  /** Nodes that have the label, whatever its value. */
  readonly any: NodeSet;
  readonly byValue: ReadonlyMap<string, NodeSet>;
  /** Values that are numbers, from the least, each with the nodes that have it or a lesser one. */
  readonly ascending: readonly { readonly number: number; readonly upTo: NodeSet }[];
}

/**
 * The nodes of a cluster, found by what pods ask of them. It is made anew when nodes change, and what it has worked out serves every stack
 * until then: a requirement costs a look into a map, and not one at each node.
 */
export class NodeIndex {
  readonly nodes: readonly NodeView[];
  /** This set and the others are only to be read. */
  readonly all: NodeSet;
  readonly nothing: NodeSet;
  readonly ready: NodeSet;
  readonly cordoned: NodeSet;
  /** Most nodes share their taints with others. */
  readonly tainted: readonly { readonly taints: readonly Taint[]; readonly nodes: NodeSet }[];
  readonly #positions = new Map<string, number>();
  readonly #devices = new Map<string, NodeSet>();
  readonly #labels = new Map<string, LabelledNodes>();
  /** Labels that some node has: what users ask for besides need not be looked for. */
  readonly #keys = new Set<string>();
  readonly #nowhere: LabelledNodes;
  #names: LabelledNodes | undefined;

  constructor(nodes: readonly NodeView[]) {
    this.nodes = nodes;
    this.all = NodeSet.all(nodes.length);
    this.nothing = this.#none();
    this.ready = this.#select(({ ready }) => ready);
    this.cordoned = this.#select(({ cordoned }) => cordoned);
    this.#nowhere = { any: this.nothing, byValue: new Map(), ascending: [] };
    const tainted = new Map<string, { taints: readonly Taint[]; nodes: NodeSet }>();
    for (const [position, { name, labels, devices, taints }] of nodes.entries()) {
      this.#positions.set(name, position);
      for (const key in labels) this.#keys.add(key);
      for (const resource in devices) {
        if ((devices[resource] ?? 0) > 0) this.#addTo(this.#devices, resource, position);
      }
      if (taints.length === 0) continue;
      const key = JSON.stringify(taints);
      const group = tainted.get(key) ?? { taints, nodes: this.#none() };
      group.nodes.add(position);
      tainted.set(key, group);
    }
    this.tainted = [...tainted.values()];
  }

  positionOf(node: string): number | undefined {
    return this.#positions.get(node);
  }

  /** Nodes that have at least one of a device. */
  withDevice(resource: string): NodeSet {
    return this.#devices.get(resource) ?? this.nothing;
  }

  labelled(key: string): LabelledNodes {
    if (!this.#keys.has(key)) return this.#nowhere;
    const labelled = this.#labels.get(key) ?? this.#group(({ labels }) => labels[key]);
    this.#labels.set(key, labelled);
    return labelled;
  }

  /** Only by its name can a node be selected besides its labels. */
  field(key: string): LabelledNodes {
    if (key !== 'metadata.name') return this.#nowhere;
    this.#names ??= this.#group(({ name }) => name);
    return this.#names;
  }

  #group(valueOf: (node: NodeView) => string | undefined): LabelledNodes {
    const any = this.#none();
    const byValue = new Map<string, NodeSet>();
    for (const [position, node] of this.nodes.entries()) {
      const value = valueOf(node);
      if (value === undefined) continue;
      any.add(position);
      this.#addTo(byValue, value, position);
    }
    return { any, byValue, ascending: this.#accumulate(byValue) };
  }

  #accumulate(byValue: ReadonlyMap<string, NodeSet>): LabelledNodes['ascending'] {
    const numbers = [...byValue].filter(([value]) => /^-?\d+$/.test(value));
    const sorted = numbers.sort(([one], [other]) => Number(one) - Number(other));
    let before = this.nothing;
    return sorted.map(([value, nodes]) => {
      before = before.copy().addAll(nodes);
      return { number: Number(value), upTo: before };
    });
  }

  #select(has: (node: NodeView) => boolean): NodeSet {
    const set = this.#none();
    for (const [position, node] of this.nodes.entries()) if (has(node)) set.add(position);
    return set;
  }

  #addTo(sets: Map<string, NodeSet>, key: string, position: number): void {
    const set = sets.get(key) ?? this.#none();
    set.add(position);
    sets.set(key, set);
  }

  #none(): NodeSet {
    return NodeSet.none(this.nodes.length);
  }
}
