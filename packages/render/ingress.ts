import type { Ingress, IngressHost, ServicePort } from '../api/types.ts';
import { type Component, type RenderedObject, metaOf } from './model.ts';
import type { OpenObject } from '../lib/json.ts';
import { isEmpty, present } from '../lib/values.ts';

export function ingress(component: Component, values: Ingress, ports: readonly ServicePort[]): RenderedObject[] {
  if (values.enabled !== true) return [];
  const backend = { service: { name: component.objectName, port: backendPort(ports) } };
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: metaOf(component, values.annotations),
      spec: present({
        ingressClassName: values.className,
        tls: values.tls?.map(({ hosts, secretName }) => present({ hosts, secretName })),
        rules: values.hosts?.map((host) => rule(host, backend)),
      }),
    },
  ];
}

function rule({ host, paths }: IngressHost, backend: OpenObject): OpenObject {
  const given = paths === undefined || paths.length === 0 ? [{}] : paths;
  const http = {
    paths: given.map(({ path = '/', pathType = 'Prefix' }) => ({ path, pathType, backend })),
  };
  return isEmpty(host) ? { http } : { host, http };
}

/** The port named http, or else the first one: by name where it has one. */
function backendPort(ports: readonly ServicePort[]): OpenObject {
  const port = ports.find(({ name }) => name === 'http') ?? ports[0];
  return port?.name === undefined ? { number: port?.port ?? 80 } : { name: port.name };
}
