import { objectAt } from '../../../packages/lib/json.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';

/**
 * A merge patch that removes what a live object has and the desired one must not have. Server-side apply removes only what we have
 * applied before. So a Deployment that should recreate its pods would keep the numbers for a rolling update that the API server
 * filled in for another maker, or that somebody set by hand, and would be refused for ever.
 */
export function obstacleTo(desired: KubernetesObject, live: KubernetesObject): Record<string, unknown> | undefined {
  if (desired.kind !== 'Deployment') return undefined;
  const { type } = strategyOf(desired);
  if (type !== 'Recreate' || strategyOf(live).rollingUpdate === undefined) return undefined;
  return { spec: { strategy: { type, rollingUpdate: null } } };
}

function strategyOf({ spec }: KubernetesObject): { type?: unknown; rollingUpdate?: unknown } {
  return objectAt(spec, 'strategy');
}
