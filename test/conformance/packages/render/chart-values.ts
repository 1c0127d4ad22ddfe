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

/** What chart 1.8.2 reads besides. */
const APPLICATION_1_8_2 = [
  'engine',
  'externalEngineImage.repository',
  'externalEngineImage.pullPolicy',
  'externalEngineImage.tag',
  'sidecarImage.repository',
  'sidecarImage.pullPolicy',
  'sidecarImage.tag',
  'sidecar.env',
  'sidecar.ports',
  'sidecar.resources',
  'readerConfig.enginePort',
  'readerConfig.isEmbedding',
  'shmSize',
  'startupProbe',
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

export const CHART_VALUES_1_8_2: readonly string[] = [
  ...CHART_VALUES,
  ...APPLICATION_1_8_2.map((path) => `applicationTemplate.${path}`),
  ...APPLICATION_1_8_2.map((path) => `applications.*.${path}`),
];

/** Whether values set something at a path. */
export function sets(values: unknown, path: string): boolean {
  const [key = '', ...rest] = path.split('.');
  if (key === '') return values !== undefined;
  if (typeof values !== 'object' || values === null) return false;
  const fields: readonly unknown[] = key === '*' ? Object.values(values) : [(values as Record<string, unknown>)[key]];
  return fields.some((field) => sets(field, rest.join('.')));
}
