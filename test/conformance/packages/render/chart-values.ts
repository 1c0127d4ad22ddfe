/** Every value that the chart reads, also those that its defaults leave out. `*` stands for an application's name. */
const POD = [
  'image.repository',
  'image.pullPolicy',
  'image.tag',
  'env',
  'replicaCount',
  'podAnnotations',
  'podLabels',
  'podSecurityContext',
  'securityContext',
  'ports',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'volumes',
  'volumeMounts',
  'nodeSelector',
  'tolerations',
  'affinity',
];

const GATEWAY = [
  ...POD,
  'config',
  'service.type',
  'service.ports',
  'ingress.enabled',
  'ingress.className',
  'ingress.annotations',
  'ingress.hosts',
  'ingress.tls',
  'exportPrometheusMetrics',
];

const APPLICATION = [
  ...POD,
  'readerConfig',
  'modelsVolume',
  'scaling.enabled',
  'scaling.metricTarget.value',
  'scaling.annotations',
  'scaling.spec',
];

export const CHART_VALUES: readonly string[] = [
  'imagePullSecrets',
  'nameOverride',
  'fullnameOverride',
  'serviceAccount.create',
  'serviceAccount.automount',
  'serviceAccount.annotations',
  'serviceAccount.name',
  ...GATEWAY.map((path) => `gateway.${path}`),
  ...APPLICATION.map((path) => `applicationTemplate.${path}`),
  ...APPLICATION.map((path) => `applications.*.${path}`),
];

/** Whether values set something at a path. */
export function sets(values: unknown, path: string): boolean {
  const [key = '', ...rest] = path.split('.');
  if (key === '') return values !== undefined;
  if (typeof values !== 'object' || values === null) return false;
  const fields: readonly unknown[] = key === '*' ? Object.values(values) : [(values as Record<string, unknown>)[key]];
  return fields.some((field) => sets(field, rest.join('.')));
}
