import type { NetworkPolicy } from '../api/types.ts';
import type { OpenObject } from '../lib/json.ts';
import { metaOf, type Component, type RenderedObject } from './model.ts';
import { applicationComponent, COMPONENT_LABEL, withoutComponent } from './names.ts';

/** Prometheus, wherever it runs. */
const SCRAPERS: readonly OpenObject[] = [
  { namespaceSelector: {}, podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } } },
];

/**
 * Only the gateway and scrapers reach the engines of a stack: engines ask nobody for a key. `applications` are those that serve clients
 * themselves.
 */
export function networkPolicy(
  gateway: Component,
  applications: readonly string[],
  { enabled = true, scrapers = [...SCRAPERS] }: NetworkPolicy = {},
): RenderedObject[] {
  if (!enabled || applications.length === 0) return [];
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metaOf(gateway),
      spec: {
        podSelector: {
          matchLabels: withoutComponent(gateway.selector),
          matchExpressions: [{ key: COMPONENT_LABEL, operator: 'In', values: applications.map(applicationComponent) }],
        },
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ podSelector: { matchLabels: gateway.selector } }, ...scrapers] }],
      },
    },
  ];
}
