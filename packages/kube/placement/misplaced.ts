import { LINE_LIMIT, shortened } from '../../lib/message.ts';
import type { BitSet } from './bit-set.ts';
import type { NodeIndex } from './node-index.ts';
import { describeObstacles, lacking, obstacles } from './obstacles.ts';
import type { Placement } from './placement.ts';

/** The nodes of a cluster, and which of them pods may run on. */
interface Nodes {
  readonly index: NodeIndex;
  matching(placement: Placement): BitSet;
}

/** The beginning of a sentence about pods that have no node. */
export function lacksNodes(who: string, pods: number): string {
  return `${who} has no node for ${pods === 1 ? '1 pod' : `${pods} pods`}`;
}

/**
 * What keeps pods from every node, in a sentence. The scheduler only counts nodes, so this says which label was asked for and which ones
 * the nodes have. Nothing if a node matches, since then something else is missing.
 */
export function misplaced(who: string, pods: number, placement: Placement, nodes: Nodes): string | undefined {
  if (nodes.index.items.length === 0 || !nodes.matching(placement).isEmpty) return undefined;
  const beginning = `${lacksNodes(who, pods)}: `;
  return shortened(`${beginning}${whyNowhere(placement, nodes, beginning.length)}.`);
}

/** Why no node takes pods, in words that go on after the given number of characters. */
export function whyNowhere(placement: Placement, { index }: Pick<Nodes, 'index'>, used: number): string {
  const lack = lacking(index, placement, index.all);
  if (lack !== undefined) return `no node ${lack}`;
  const found = obstacles(index, placement, index.all);
  return found.size === 0 ? 'no node has room' : describeObstacles(found, LINE_LIMIT - used - 1);
}
