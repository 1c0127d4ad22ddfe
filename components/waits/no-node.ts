import type { NodeView } from '../../packages/kube/placement/node-view.ts';
import { matching } from '../../packages/kube/placement/match.ts';
import { whyNowhere } from '../../packages/kube/placement/misplaced.ts';
import { NodeIndex } from '../../packages/kube/placement/node-index.ts';
import { placementOf } from '../../packages/kube/placement/placement.ts';
import { requestsOf, isExtendedResource } from '../../packages/kube/pods/requests.ts';
import { names } from '../../packages/lib/message.ts';
import type { Pod } from './symptom.ts';

/**
 * Why no node takes a pod: the label, the taint or the amount that is in the way. Undefined if a node would take it
 * once others left room: then the scheduler's message says everything.
 */
export function whyNoNode(spec: Pod['spec'], nodes: readonly NodeView[]): string | undefined {
  if (nodes.length === 0) return 'the cluster has no nodes';
  const index = new NodeIndex(nodes);
  const placement = placementOf(spec);
  const fitting = matching(index, placement);
  if (fitting.isEmpty) return whyNowhere(placement, { index }, 0);
  const candidates = nodes.filter((_, position) => fitting.has(position));
  const tooMuch = requests(spec).filter(([name, amount]) => mostOf(name, candidates) < amount);
  if (tooMuch.length === 0) return undefined;
  const reasons = tooMuch.map(
    ([name, amount]) =>
      `it asks for ${quantity(name, amount)}, and the largest node that matches has ${quantity(name, mostOf(name, candidates))}`,
  );
  return reasons.join('; ');
}

/** What a pod asks for, in words. */
export function asksFor(spec: Pod['spec']): string {
  const amounts = requests(spec).map(([name, amount]) => quantity(name, amount));
  return amounts.length === 0 ? 'it asks for nothing' : `it asks for ${names(amounts)}`;
}

function requests(spec: Pod['spec']): readonly [string, number][] {
  return Object.entries(requestsOf(spec, () => true)).filter(([, amount]) => amount > 0);
}

/** The most that a node has for pods, whatever runs there. */
function mostOf(resource: string, nodes: readonly NodeView[]): number {
  return Math.max(
    ...nodes.map(
      ({ devices, allocatable = {} }) => (isExtendedResource(resource) ? devices : allocatable)[resource] ?? 0,
    ),
  );
}

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti'];

/** An amount as people write it in a spec: `500m cpu`, `2Gi memory`, `1 nvidia.com/gpu`. */
function quantity(resource: string, amount: number): string {
  if (resource === 'cpu') return `${amount < 1 ? `${Math.round(amount * 1000)}m` : round(amount)} cpu`;
  if (isExtendedResource(resource)) return `${amount} ${resource}`;
  let [value, unit] = [amount, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${round(value)}${UNITS[unit] ?? ''} ${resource}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
