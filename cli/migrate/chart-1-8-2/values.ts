import { isObject, type OpenObject } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { setOwn } from '../../../packages/lib/values.ts';

/** What is read of a value: all of it, or these fields. `*` stands for a field of any name. */
interface Fields {
  readonly [field: string]: Fields | true;
}

const IMAGE: Fields = { repository: true, pullPolicy: true, tag: true };

const POD = {
  image: IMAGE,
  env: true,
  replicaCount: true,
  podAnnotations: true,
  podLabels: true,
  podSecurityContext: true,
  securityContext: true,
  ports: true,
  resources: true,
  livenessProbe: true,
  readinessProbe: true,
  volumes: true,
  volumeMounts: true,
  nodeSelector: true,
  tolerations: true,
  affinity: true,
} satisfies Fields;

const APPLICATION: Fields = {
  ...POD,
  engine: true,
  externalEngineImage: IMAGE,
  sidecarImage: IMAGE,
  sidecar: { env: true, ports: true, resources: true },
  readerConfig: true,
  shmSize: true,
  startupProbe: true,
  modelsVolume: true,
  scaling: { enabled: true, metricTarget: { name: true, value: true }, annotations: true, spec: true },
};

/** What the templates of chart 1.8.2 read. */
const VALUES: Fields = {
  imagePullSecrets: true,
  nameOverride: true,
  fullnameOverride: true,
  serviceAccount: { create: true, automount: true, annotations: true, name: true },
  gateway: {
    ...POD,
    config: true,
    service: { type: true, ports: true },
    ingress: { enabled: true, className: true, annotations: true, hosts: true, tls: true },
    exportPrometheusMetrics: true,
  },
  applicationTemplate: APPLICATION,
  applications: { '*': APPLICATION },
};

/** The values that the chart reads. The others had no effect, and might have one in a spec: each is told. */
export function valuesRead(given: unknown): { readonly values: OpenObject; readonly notices: readonly Problem[] } {
  if (given === undefined || given === null) return { values: {}, notices: [] };
  if (!isObject(given)) return { values: {}, notices: [{ path: '', value: given, message: 'is not a map of values' }] };
  const notices: Problem[] = [];
  const known = (fields: OpenObject, shape: Fields, path: string): OpenObject => {
    const result: OpenObject = {};
    for (const [field, value] of Object.entries(fields)) {
      const inner = Object.hasOwn(shape, field) ? shape[field] : shape['*'];
      const its = `${path}${field}`;
      if (inner === undefined) notices.push({ path: its, message: 'is left out: the chart does not read it' });
      else setOwn(result, field, inner === true || !isObject(value) ? value : known(value, inner, `${its}.`));
    }
    return result;
  };
  return { values: known(given, VALUES, ''), notices };
}
