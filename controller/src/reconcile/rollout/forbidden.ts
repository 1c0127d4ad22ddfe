import { textOf, type OpenObject } from '../../../../packages/lib/json.ts';
import type { BitSet } from '../../../../packages/kube/placement/bit-set.ts';
import { selected, withLabel } from '../../../../packages/kube/placement/match.ts';
import type { NodeIndex } from '../../../../packages/kube/placement/node-index.ts';
import type { Placement } from '../../../../packages/kube/placement/placement.ts';
import { ownLabels, type Neighbour, type Neighbours } from './neighbours.ts';
import { antiAffinityOf, hostPortsOf, spreadOf, type PodTemplate } from './pod-template.ts';

/** A new pod of a component of a stack. */
export interface NewPod {
  readonly component: string;
  readonly namespace: string;
  readonly template: PodTemplate;
  readonly placement: Placement;
}

/** Nodes that a new pod may not run on because of running pods, and the rules that forbid it. */
export interface Forbidden {
  readonly nodes: BitSet;
  readonly by: readonly string[];
}

/**
 * What keeps a new pod away from nodes besides its requirements of the nodes themselves: required pod anti-affinity, host ports, and spread
 * constraints. Only pods of its own stack count, without those of its own component if these will be gone by then.
 */
export function forbiddenFor(
  pod: NewPod,
  neighbours: Neighbours,
  index: NodeIndex,
  { beside }: { readonly beside: 'all' | 'others' },
): Forbidden {
  const counts = ({ component }: Neighbour): boolean => beside === 'all' || component !== pod.component;
  const name = beside === 'all' ? '' : pod.component;
  const rules = {
    'pod anti-affinity': byAntiAffinity(pod, neighbours, index, { counts, name }),
    'host port': byPorts(pod, neighbours, index, counts),
    'topology spread': bySpread(pod, neighbours, index, counts),
  };
  const nodes = index.none();
  for (const set of Object.values(rules)) nodes.addAll(set);
  return { nodes, by: Object.entries(rules).flatMap(([rule, set]) => (set.isEmpty ? [] : rule)) };
}

/** Whose pods count. */
type Counts = (neighbour: Neighbour) => boolean;

interface Counted {
  readonly counts: Counts;
  /** The component whose pods do not count; empty if all do. */
  readonly name: string;
}

function byAntiAffinity(pod: NewPod, neighbours: Neighbours, index: NodeIndex, { counts, name }: Counted): BitSet {
  const set = index.none();
  for (const term of antiAffinityOf(pod.template)) {
    if (!concerns(term, pod.namespace)) continue;
    // A term that looks at labels of the pod itself may have a different answer for each application.
    const own = ownLabels(pod.template, term);
    set.addAll(neighbours.once([term, own, name], () => domainsOf(pod, term, neighbours, index, counts)));
  }
  return set;
}

/** Nodes in the same domains as pods that a term selects. */
function domainsOf(pod: NewPod, term: OpenObject, neighbours: Neighbours, index: NodeIndex, counts: Counts): BitSet {
  const set = index.none();
  const key = textOf(term['topologyKey']);
  for (const { pods } of neighbours.selectedFor(pod.template, term).filter(counts)) {
    for (const position of pods.keys()) {
      const domain = set.has(position) ? undefined : index.items[position]?.labels[key];
      if (domain !== undefined) set.addAll(withLabel(index, key, domain));
    }
  }
  return set;
}

/** A term without namespaces is about the pod's own. Which namespaces a selector selects is not known here. */
function concerns({ namespaces, namespaceSelector }: OpenObject, namespace: string): boolean {
  if (namespaceSelector !== undefined) return true;
  return !Array.isArray(namespaces) || namespaces.length === 0 || namespaces.includes(namespace);
}

function byPorts(pod: NewPod, neighbours: Neighbours, index: NodeIndex, counts: Counts): BitSet {
  const set = index.none();
  for (const port of hostPortsOf(pod.template)) {
    for (const { pods } of neighbours.atPort(port).filter(counts)) {
      for (const position of pods.keys()) set.add(position);
    }
  }
  return set;
}

function bySpread(pod: NewPod, neighbours: Neighbours, index: NodeIndex, counts: Counts): BitSet {
  const set = index.none();
  const constraints = spreadOf(pod.template);
  if (constraints.length === 0) return set;
  const eligible = selected(index, pod.placement);
  for (const { topologyKey } of constraints) eligible.keepOnly(index.labelled(textOf(topologyKey)).any);
  for (const constraint of constraints) {
    const key = textOf(constraint['topologyKey']);
    set.addAll(index.all.copy().removeAll(index.labelled(key).any));
    const placed = neighbours.selectedFor(pod.template, constraint).filter(counts);
    const pods = countByDomain(placed, index, key, eligible);
    const self = neighbours.selects(pod.component, constraint) ? 1 : 0;
    const most = leastPods(pods, constraint, index, key, eligible) + amount(constraint['maxSkew'], 1) - self;
    for (const [domain, count] of pods) if (count > most) set.addAll(withLabel(index, key, domain));
  }
  return set;
}

/** Pods in each domain that has some, on nodes that count. */
function countByDomain(
  neighbours: readonly Neighbour[],
  index: NodeIndex,
  key: string,
  eligible: BitSet,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { pods } of neighbours) {
    for (const [position, count] of pods) {
      const domain = index.items[position]?.labels[key];
      if (domain === undefined || !eligible.has(position)) continue;
      counts.set(domain, (counts.get(domain) ?? 0) + count);
    }
  }
  return counts;
}

/** The number of pods in the domain with the fewest: 0 if a domain has none, or if there are fewer domains than required. */
function leastPods(
  pods: ReadonlyMap<string, number>,
  { minDomains }: OpenObject,
  index: NodeIndex,
  key: string,
  eligible: BitSet,
): number {
  if (pods.size < amount(minDomains, 1)) return 0;
  const without = eligible.copy();
  for (const domain of pods.keys()) without.removeAll(withLabel(index, key, domain));
  if (!without.isEmpty) return 0;
  return Math.min(...pods.values());
}

function amount(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
