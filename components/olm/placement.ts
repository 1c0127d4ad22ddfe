import { definedOnly, isEmpty } from '../../packages/lib/values.ts';
import type { NodeView } from '../../packages/kube/placement/node-view.ts';
import { repels } from '../../packages/kube/placement/match.ts';
import { isDeployment, type ManifestObject, type PodSpec, type Toleration } from './manifest.ts';

/** Labels that a node must have. */
export type NodeLabels = Readonly<Record<string, string>>;

/** On which nodes somebody wants pods of a manifest to run. Of each, what is left out stays as it is. */
export interface ChosenPlacement {
  /** These instead of the pods' own. */
  readonly nodeSelector?: NodeLabels;
  /** Beside the pods' own. */
  readonly tolerations?: readonly Toleration[];
  /** Instead of the pods' own. */
  readonly affinity?: Readonly<Record<string, unknown>>;
}

/** What of a node decides whether pods may run there. */
export type NodeFacts = Pick<NodeView, 'labels' | 'taints'>;

/** The label of nodes that run a control plane of one's own. Those of a managed cluster are not among its nodes. */
export const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** Kubernetes' own taints come and go with the state of a node; where OLM belongs does not change with them. */
const PASSING_TAINT = /^node\.kubernetes\.io\//;

/** Where OLM's controllers run, and one line about it where that is not as somebody has said. */
export interface PlacedControllers {
  readonly placement: ChosenPlacement;
  readonly note?: string;
}

/**
 * Decides where OLM's controllers run. Since 1.10 the released manifest asks for nodes of the control plane. Managed clusters have
 * none, so the pods would wait for ever: where no node fits, that label is not asked for. `nodes` are those that have the label,
 * whatever its value; undefined where the cluster did not tell. Then `current`, the labels that a running OLM asks for, decides: who
 * placed it there may have seen the nodes.
 */
export function placeControllers(
  manifest: readonly ManifestObject[],
  chosen: ChosenPlacement,
  nodes: readonly NodeFacts[] | undefined,
  current?: NodeLabels,
): PlacedControllers {
  const pods = manifest.filter(isDeployment).map(({ spec }) => spec.template.spec);
  const bound = pods.filter(({ nodeSelector }) => nodeSelector?.[CONTROL_PLANE] !== undefined);
  const [first] = bound;
  if (chosen.nodeSelector !== undefined || first === undefined) return { placement: chosen };
  const others = Object.entries(first.nodeSelector ?? {}).filter(([key]) => key !== CONTROL_PLANE);
  const unbound = { ...chosen, nodeSelector: Object.fromEntries(others) };
  // Whoever chooses nodes by affinity has chosen: few nodes would be of the control plane as well.
  if (!isEmpty(chosen.affinity?.['nodeAffinity'])) return { placement: unbound };
  const label = `${CONTROL_PLANE}=${first.nodeSelector?.[CONTROL_PLANE] ?? ''}`;
  if (nodes === undefined && current !== undefined) {
    const stays = 'The nodes of the cluster are not known: OLM stays where it runs';
    const isBound = current[CONTROL_PLANE] === first.nodeSelector?.[CONTROL_PLANE];
    return isBound
      ? { placement: chosen, note: `${stays}, on nodes labelled ${label}. olm.nodeSelector chooses others.` }
      : { placement: unbound, note: `${stays}, which need not be a node labelled ${label}. olm.nodeSelector chooses.` };
  }
  if (nodes === undefined) {
    const note = `The nodes of the cluster are not known: OLM is placed on nodes labelled ${label}, as its manifest asks. olm.nodeSelector chooses others.`;
    return { placement: chosen, note };
  }
  if (bound.every((pod) => nodes.some((node) => fits(node, pod, chosen)))) return { placement: chosen };
  const note = `OLM’s manifest asks for nodes labelled ${label}, and no node of the cluster fits: OLM runs on any node. olm.nodeSelector chooses.`;
  return { placement: unbound, note };
}

function fits(
  { labels, taints }: NodeFacts,
  { nodeSelector = {}, tolerations: own = [] }: PodSpec,
  chosen: ChosenPlacement,
): boolean {
  const tolerations = [...own, ...(chosen.tolerations ?? [])];
  return (
    Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
    taints.every((taint) => PASSING_TAINT.test(taint.key) || !repels(taint, tolerations))
  );
}

/** A pod that runs where it is told to. */
export function placePod(pod: PodSpec, { nodeSelector, tolerations, affinity }: ChosenPlacement): PodSpec {
  const added = tolerations && [...(pod.tolerations ?? []), ...tolerations];
  return { ...pod, ...definedOnly({ nodeSelector, tolerations: added, affinity }) };
}
