import type { OpenObject } from '../../api/types.ts';
import { fieldsOf, isObject } from '../../api/values.ts';
import { REQUIRED } from '../../render/gpu.ts';
import type { LabelRequirement } from '../../runtime/label-selector.ts';
import type { Placement, Term } from './match.ts';

/**
 * Where a pod may run, as far as its spec is well formed. The API of stacks leaves affinity open: what is wrong in it the API server
 * says when it refuses the pods, and until then it must not keep the rest from being looked at.
 */
export function placementOf(podSpec: unknown): Placement {
  const { nodeSelector, affinity, tolerations } = fieldsOf(podSpec);
  const required = fieldsOf(fieldsOf(fieldsOf(affinity)['nodeAffinity'])[REQUIRED]);
  const nodeSelectorTerms = objectsIn(required['nodeSelectorTerms']).map(termOf);
  return {
    nodeSelector: fieldsOf(nodeSelector) as Record<string, string>,
    affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms } } },
    tolerations: objectsIn(tolerations),
  };
}

function termOf({ matchExpressions, matchFields }: OpenObject): Term {
  return {
    matchExpressions: objectsIn(matchExpressions).map(requirementOf),
    matchFields: objectsIn(matchFields).map(requirementOf),
  };
}

function requirementOf({ key, operator, values }: OpenObject): LabelRequirement {
  return { key: String(key), operator: String(operator), values: Array.isArray(values) ? values.map(String) : [] };
}

function objectsIn(value: unknown): OpenObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
