import { fieldsOf, isObject, textOf, type OpenObject } from '../../lib/values.ts';
import type { LabelRequirement } from '../label-selector.ts';

/** What a pod's node must fulfil, as the API of Kubernetes calls it. */
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
 * Where a pod may run, as far as its spec is well formed. What is wrong in it the API server says when it refuses the pods; until
 * then it must not keep the rest from being looked at.
 */
export function placementOf(podSpec: unknown): Placement {
  const { nodeSelector, affinity, tolerations } = fieldsOf(podSpec);
  const required = fieldsOf(fieldsOf(fieldsOf(affinity)['nodeAffinity'])[REQUIRED]);
  return {
    nodeSelector: fieldsOf(nodeSelector) as Record<string, string>,
    tolerations: objectsIn(tolerations),
    terms: objectsIn(required['nodeSelectorTerms']).map(termOf),
  };
}

function termOf({ matchExpressions, matchFields }: OpenObject): Term {
  return {
    matchExpressions: objectsIn(matchExpressions).map(requirementOf),
    matchFields: objectsIn(matchFields).map(requirementOf),
  };
}

export function requirementOf({ key, operator, values }: OpenObject): LabelRequirement {
  return { key: textOf(key), operator: textOf(operator), values: Array.isArray(values) ? values.map(textOf) : [] };
}

/** The objects of a list, where it is one. */
export function objectsIn(value: unknown): OpenObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
