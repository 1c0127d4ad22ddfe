import { definedOnly, isEmpty } from '../../packages/lib/values.ts';
import type { NodeView } from '../../packages/kube/placement/node-view.ts';
import { repels } from '../../packages/kube/placement/match.ts';
import { isDeployment, type ManifestObject, type PodSpec, type Toleration } from './manifest.ts';

/** Labels that a node must have. */
export type NodeLabels = Readonly<Record<string, string>>;

/** The nodes chosen for the pods of a manifest. What is left out stays as it is. */
export interface ChosenPlacement {
  /** These instead of the pods' own. */
  readonly nodeSelector?: NodeLabels;
  /** In addition to the pods' own. */
  readonly tolerations?: readonly Toleration[];
  /** Instead of the pods' own. */
  readonly affinity?: Readonly<Record<string, unknown>>;
}

/** The facts about a node that decide whether pods may run there. */
export type NodeFacts = Pick<NodeView, 'labels' | 'taints'>;

/** The label of control plane nodes. Managed clusters do not list theirs as nodes. */
export const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** Kubernetes' own taints come and go with the state of a node, so they do not decide where OLM belongs. */
const PASSING_TAINT = /^node\.kubernetes\.io\//;

/** Where OLM's controllers run, and a note if nobody chose that. */
export interface PlacedControllers {
  readonly placement: ChosenPlacement;
  readonly note?: string;
}

/**
 * Decides where OLM's controllers run. Since 1.10 the released manifest asks for control plane nodes. Managed clusters
 * have none, so the pods would wait forever: if no node fits, that label is dropped. `nodes` are those that have the
 * label, with any value; undefined if the cluster did not say. Then `current`, the labels that a running OLM asks for,
 * decides: whoever placed it there may have seen the nodes.
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
  // Node affinity is a choice already: few of the chosen nodes would also be control plane nodes.
  if (!isEmpty(chosen.affinity?.['nodeAffinity'])) return { placement: unbound };
  const label = `${CONTROL_PLANE}=${first.nodeSelector?.[CONTROL_PLANE] ?? ''}`;
  if (nodes === undefined && current !== undefined) {
    const stays = 'The nodes of the cluster are not known: OLM stays where it runs';
    const isBound = current[CONTROL_PLANE] === first.nodeSelector?.[CONTROL_PLANE];
    return isBound
      ? {
          placement: chosen,
          note: `${stays}, on nodes labelled ${label}. Set a nodeSelector for OLM to choose others.`,
        }
      : {
          placement: unbound,
          note: `${stays}, which need not be a node labelled ${label}. Set a nodeSelector for OLM to choose nodes.`,
        };
  }
  if (nodes === undefined) {
    const note = `The nodes of the cluster are not known: OLM is placed on nodes labelled ${label}, as its manifest asks. Set a nodeSelector for OLM to choose others.`;
    return { placement: chosen, note };
  }
  if (bound.every((pod) => nodes.some((node) => fits(node, pod, chosen)))) return { placement: chosen };
  const note = `OLM’s manifest asks for nodes labelled ${label}, but no node of the cluster fits, so OLM runs on any node. Set a nodeSelector for OLM to choose nodes.`;
  return { placement: unbound, note };
}

function fits(
  { labels, taints }: NodeFacts,
  { nodeSelector = {}, tolerations: inManifest = [] }: PodSpec,
  chosen: ChosenPlacement,
): boolean {
  const tolerations = [...inManifest, ...(chosen.tolerations ?? [])];
  return (
    Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
    taints.every((taint) => PASSING_TAINT.test(taint.key) || !repels(taint, tolerations))
  );
}

/** The pod with the placement applied. */
export function placePod(pod: PodSpec, { nodeSelector, tolerations, affinity }: ChosenPlacement): PodSpec {
  const added = tolerations && [...(pod.tolerations ?? []), ...tolerations];
  return { ...pod, ...definedOnly({ nodeSelector, tolerations: added, affinity }) };
}
