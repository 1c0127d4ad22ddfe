import type { RenderResult } from './model.ts';

/** Where the gateway answers inside the cluster, by the first port of its Service. */
export function gatewayUrl({ objects }: Pick<RenderResult, 'objects'>): string | undefined {
  const service = objects.find(({ kind }) => kind === 'Service');
  const { ports = [] } = (service?.['spec'] ?? {}) as { ports?: { port: number }[] };
  const port = ports[0]?.port;
  if (service === undefined || port === undefined) return undefined;
  const host = `${service.metadata.name}.${service.metadata.namespace}.svc`;
  return port === 80 ? `http://${host}` : `http://${host}:${port}`;
}
