import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import { isObject, type OpenObject } from '../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { POD_DIFFERENCES } from './pod-differences.ts';

/** One way in which the operator's objects differ from the chart's, on purpose. */
export interface Difference {
  /** The heading under which docs/reference/chart-differences.md explains it. */
  readonly title: string;
  /** Turns an object of the chart into what the operator makes of it. Changes it in place. */
  readonly apply: (object: RenderedObject, values: InferenceStackSpec, namespace: string) => void;
}

const CONTENT_LABELS = ['helm.sh/chart'];

const OBJECT_DIFFERENCES: readonly Difference[] = [
  {
    title: 'Managed by the operator',
    apply: ({ metadata }) => {
      metadata.labels['app.kubernetes.io/managed-by'] = 'inference-stack-operator';
    },
  },
  {
    title: 'No chart label',
    apply: ({ metadata }) => {
      for (const label of CONTENT_LABELS) Reflect.deleteProperty(metadata.labels, label);
    },
  },
  {
    title: 'The namespace is written out',
    apply: ({ metadata }, _values, namespace) => {
      metadata.namespace = namespace;
    },
  },
  {
    title: 'Ingress ports, paths and path types are valid',
    apply: (object) => {
      if (object.kind !== 'Ingress') return;
      const backend = { service: { name: object.metadata.name, port: { name: 'http' } } };
      for (const rule of at(object, 'spec', 'rules') as OpenObject[]) {
        const http = rule['http'] as OpenObject;
        const paths = (http['paths'] ?? [{}]) as OpenObject[];
        http['paths'] = paths.map(({ path = '/', pathType = 'Prefix' }) => ({ path, pathType, backend }));
      }
    },
  },
  {
    title: 'A ServiceMonitor selects its own stack',
    apply: (object) => {
      if (object.kind !== 'ServiceMonitor') return;
      const { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': instance } = object.metadata.labels;
      const labels = at(object, 'spec', 'selector', 'matchLabels') as OpenObject;
      Object.assign(labels, { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': instance });
    },
  },
  {
    title: 'Scaling targets are whole numbers',
    apply: (object) => {
      if (object.kind !== 'ScaledObject') return;
      for (const trigger of at(object, 'spec', 'triggers') as OpenObject[]) {
        const metadata = trigger['metadata'] as OpenObject;
        for (const [key, value] of Object.entries(metadata)) {
          if (key.startsWith('target_')) metadata[key] = String(Number(value));
        }
      }
    },
  },
];

export const DIFFERENCES: readonly Difference[] = [...OBJECT_DIFFERENCES, ...POD_DIFFERENCES];

/** The kinds that the chart does not have. */
export const ADDED_KINDS = { title: 'Pod disruption budgets', kinds: ['PodDisruptionBudget'] } as const;

/** config.yaml is compared as data. */
export const CONFIG_TITLE = 'config.yaml is written as data';

/**
 * What a reader of the chart's config.yaml finds for a value: strings are not quoted, so that some become numbers or
 * nothing, and maps and lists are printed in Go's syntax.
 */
export function asChartPrints(value: unknown, load: (text: string) => unknown): unknown {
  if (typeof value === 'string') return load(value) ?? null;
  if (Array.isArray(value)) return load(goSyntax(value));
  return isObject(value) ? goSyntax(value) : value;
}

function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goSyntax).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `map[${entries.map(([key, field]) => `${key}:${goSyntax(field)}`).join(' ')}]`;
}

export function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((current, key) => (current as OpenObject | undefined)?.[key], value);
}
