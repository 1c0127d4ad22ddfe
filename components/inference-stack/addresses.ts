import type { InferenceStack } from '../../packages/api/types.ts';
import { effectiveSpec } from '../../packages/render/effective.ts';
import { gatewayUrl } from '../../packages/render/gateway-url.ts';
import { offlineContext } from '../../packages/render/offline-context.ts';
import { render } from '../../packages/render/render.ts';

/** Where the gateway answers inside the cluster, from what is rendered: the operator will write the same into the status. */
export function clusterUrl(stack: InferenceStack, namespace: string): string {
  const placed = { ...stack, metadata: { ...stack.metadata, namespace } };
  return gatewayUrl(render(placed, offlineContext(placed))) ?? '';
}

/** Where the gateway is reached from outside: one address for each host of its Ingress. */
export function ingressAddresses({ spec }: InferenceStack): readonly string[] {
  const { ingress } = effectiveSpec(spec).gateway;
  if (!ingress.enabled) return [];
  const encrypted = new Set((ingress.tls ?? []).flatMap(({ hosts = [] }) => hosts));
  // A rule without a host matches every host, so it gives no address.
  const hosts = (ingress.hosts ?? []).flatMap(({ host = '' }) => (host === '' ? [] : [host]));
  return hosts.map((host) => `${encrypted.has(host) ? 'https' : 'http'}://${host}`);
}
