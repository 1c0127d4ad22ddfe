import { listAt, objectAt, objectsAt, textOf, type OpenObject } from '../../lib/json.ts';
import type { LabelRequirement } from '../label-selector.ts';

/** The field of an affinity that says what a node must meet. */
export const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** The part of a pod's spec that decides on which nodes it may run. */
export interface Placement {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
  /** What the node affinity requires: alternatives, of which one must hold. */
  readonly terms?: readonly Term[];
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface Term {
  readonly matchExpressions?: readonly LabelRequirement[];
  readonly matchFields?: readonly LabelRequirement[];
}

/**
 * Where a pod may run, as far as its spec is well formed. The API server reports what is wrong in it when it refuses the pods; until
 * then the rest is still looked at.
 */
export function placementOf(podSpec: unknown): Placement {
  const { nodeSelector, affinity, tolerations } = objectAt(podSpec);
  return {
    nodeSelector: objectAt(nodeSelector) as Record<string, string>,
    tolerations: objectsAt(tolerations),
    terms: objectsAt(affinity, 'nodeAffinity', REQUIRED, 'nodeSelectorTerms').map(termOf),
  };
}

function termOf({ matchExpressions, matchFields }: OpenObject): Term {
  return {
    matchExpressions: objectsAt(matchExpressions).map(requirementOf),
    matchFields: objectsAt(matchFields).map(requirementOf),
  };
}

export function requirementOf({ key, operator, values }: OpenObject): LabelRequirement {
  return { key: textOf(key), operator: textOf(operator), values: listAt(values).map(textOf) };
}
