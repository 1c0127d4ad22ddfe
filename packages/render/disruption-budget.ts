import { DISRUPTION_DEFAULTS } from '../api/defaults.ts';
import type { Disruption } from '../api/types.ts';
import { type Component, type RenderedObject, metaOf } from './model.ts';

/** One pod at a time by default, which lets a single replica be drained as well. */
export function disruptionBudget(component: Component, disruption: Disruption = {}): RenderedObject[] {
  const { enabled = DISRUPTION_DEFAULTS.enabled, minAvailable, maxUnavailable } = disruption;
  if (!enabled) return [];
  const limit =
    minAvailable === undefined
      ? { maxUnavailable: maxUnavailable ?? DISRUPTION_DEFAULTS.maxUnavailable }
      : { minAvailable };
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: metaOf(component),
      // A pod that is not ready serves nobody: it must not hold up the drain of its node.
      spec: { ...limit, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: component.selector } },
    },
  ];
}
