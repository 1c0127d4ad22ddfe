import { isObject, objectAt, objectsAt, type OpenObject } from '../../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../../packages/render/model.ts';
import { GATEWAY_DIFFERENCES } from './gateway-differences.ts';
import { type Difference, forget, isGateway, workloadOf } from './pair.ts';
import { POD_DIFFERENCES } from './pod-differences.ts';

/** Kinds of the operator that the chart has not, or not unless it is told. */
export const ADDED = {
  title: 'Disruption budgets and a NetworkPolicy',
  kinds: ['PodDisruptionBudget', 'NetworkPolicy'],
} as const;

/** Objects of the chart that the operator does not make. */
export const LEFT_OUT = {
  title: 'Claims and ConfigMaps are yours',
  is: ({ kind, metadata }: RenderedObject): boolean =>
    kind === 'PersistentVolumeClaim' || (kind === 'ConfigMap' && !('app.kubernetes.io/component' in metadata.labels)),
} as const;

/** The gateway's table is compared by where requests for an alias go, and by which name. */
export const ROUTES_TITLE = 'The gateway’s table';

const OBJECT_DIFFERENCES: readonly Difference[] = [
  {
    title: 'The namespace is written out',
    level: ({ chart }, { namespace }) => {
      chart.metadata.namespace = namespace;
    },
  },
  {
    title: 'One ServiceAccount for all pods',
    level: ({ chart, ours }) => {
      forget([ours], 'automountServiceAccountToken');
      forget([workloadOf(chart).pod, workloadOf(ours).pod], 'serviceAccountName');
      forget([workloadOf(ours).pod], 'automountServiceAccountToken', 'enableServiceLinks');
    },
  },
  {
    title: 'Engines are served on port 80',
    level: ({ chart, ours }) => {
      if (chart.kind !== 'Service' || isGateway(ours)) return;
      const [port] = objectsAt(chart, 'spec', 'ports');
      objectAt(chart, 'spec')['ports'] = [{ ...port, port: 80 }];
    },
  },
  {
    title: 'An Ingress names its class once, and its port by name',
    level: ({ chart, ours }) => {
      if (chart.kind !== 'Ingress') return;
      forget([objectAt(chart, 'metadata', 'annotations')], 'kubernetes.io/ingress.class');
      const backend = { service: { name: ours.metadata.name, port: { name: 'http' } } };
      for (const rule of objectsAt(chart, 'spec', 'rules')) {
        for (const path of objectsAt(rule, 'http', 'paths')) path['backend'] = backend;
      }
    },
  },
  {
    title: 'ServiceMonitors ask as often as all of the operator’s',
    level: ({ chart, ours }) => {
      if (chart.kind !== 'ServiceMonitor') return;
      for (const object of [chart, ours]) forget(objectsAt(object, 'spec', 'endpoints'), 'interval', 'scrapeTimeout');
    },
  },
  {
    title: 'Names, labels and selectors',
    level: ({ chart, ours }) => {
      if (isGateway(ours)) chart.metadata.name = gatewayName(chart);
      for (const object of [chart, ours]) {
        Reflect.deleteProperty(object.metadata, 'labels');
        const { spec, template } = workloadOf(object);
        forget([spec], 'selector');
        forget([objectAt(template, 'metadata')], 'labels');
      }
    },
  },
];

export const DIFFERENCES: readonly Difference[] = [...GATEWAY_DIFFERENCES, ...POD_DIFFERENCES, ...OBJECT_DIFFERENCES];

function gatewayName({ kind, metadata: { name } }: RenderedObject): string {
  if (kind === 'ServiceAccount') return name.replace(/-onwards$/, '');
  return kind === 'Ingress' ? `${name}-gateway` : name.replace(/-onwards$/, '-gateway');
}

/** Where a table sends requests for each alias: the Service, and the name that it knows the model by. */
export function routesOf(table: unknown): Record<string, { service: string; model: unknown }> {
  const targets = Object.entries(objectAt(table, 'targets'));
  return Object.fromEntries(
    targets.map(([alias, target]) => {
      const first: OpenObject = objectsAt(target, 'providers')[0] ?? (isObject(target) ? target : {});
      const { url, onwards_model: model = alias } = first;
      return [alias, { service: new URL(String(url)).hostname, model }];
    }),
  );
}
