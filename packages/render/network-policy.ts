import { GATEWAY } from '../api/names.ts';
import type { GatewayKind, NetworkPolicy } from '../api/types.ts';
import type { OpenObject } from '../lib/json.ts';
import { metaOf, type Component, type RenderedObject } from './model.ts';
import { COMPONENT_LABEL, withoutComponent } from './names.ts';

/** Prometheus, wherever it runs. */
const SCRAPERS: readonly OpenObject[] = [
  { namespaceSelector: {}, podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } } },
];

/**
 * Only the gateway and scrapers reach the engines of a stack: engines ask nobody for a key. It names no application, since the pods of one
 * that was removed go on serving until they have finished.
 */
export function networkPolicy(
  gateway: Component,
  kind: GatewayKind,
  { enabled = true, scrapers = [...SCRAPERS] }: NetworkPolicy = {},
): RenderedObject[] {
  if (!enabled || kind !== 'onwards') return [];
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metaOf(gateway),
      spec: {
        podSelector: {
          matchLabels: withoutComponent(gateway.selector),
          matchExpressions: [{ key: COMPONENT_LABEL, operator: 'NotIn', values: [GATEWAY] }],
        },
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ podSelector: { matchLabels: gateway.selector } }, ...scrapers] }],
      },
    },
  ];
}
