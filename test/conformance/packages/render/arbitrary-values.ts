import fc from 'fast-check';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { ChartCase } from './case.ts';

/** Values that the chart can render: it writes strings without quotes, so they hold nothing that YAML would act on. */

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,10}[a-z0-9])?$/).filter((name) => name !== 'gateway');
const envName = fc.stringMatching(/^[A-Z][A-Z_]{0,8}$/);
const key = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{1,16}$/);
const optional = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(shape, { requiredKeys: [] });
const stringMap = fc.dictionary(word, word, { maxKeys: 3, noNullPrototype: true });
const scalar = fc.oneof(word, fc.boolean(), fc.integer({ min: 0, max: 10_000_000 }));
/** Keys that are the same in snake_case would be there twice in the chart's file. */
const extraKeys = fc
  .dictionary(key, scalar, { maxKeys: 4, noNullPrototype: true })
  .filter((keys) => new Set(Object.keys(keys).map((name) => name.toLowerCase())).size === Object.keys(keys).length);
const resources = optional({
  limits: fc.constantFrom({ cpu: '100m' }, { memory: '1Gi', 'nvidia.com/gpu': 1 }, { cpu: 2 }),
  requests: fc.constantFrom({ cpu: '100m' }, { memory: '512Mi' }),
});
const env = fc.uniqueArray(
  fc.oneof(
    fc.record({ name: envName, value: word }),
    fc.record({ name: envName, valueFrom: fc.record({ secretKeyRef: fc.record({ name: word, key: word }) }) }),
  ),
  { selector: ({ name }) => name, maxLength: 4 },
);
const image = optional({ repository: word, tag: word, pullPolicy: fc.constantFrom('Always', 'Never', 'IfNotPresent') });
const pod = {
  image,
  env,
  replicaCount: fc.integer({ min: 0, max: 9 }),
  podAnnotations: stringMap,
  podLabels: stringMap,
  podSecurityContext: optional({ runAsUser: fc.nat(2000), fsGroup: fc.nat(2000) }),
  securityContext: optional({ privileged: fc.boolean(), runAsNonRoot: fc.boolean() }),
  resources,
  livenessProbe: fc.constantFrom({}, { httpGet: { path: '/healthz', port: 'inference' } }),
  readinessProbe: fc.constantFrom({}, { tcpSocket: { port: 3000 }, periodSeconds: 3 }),
  volumes: fc.constantFrom([], [{ name: 'extra', emptyDir: {} }]),
  volumeMounts: fc.constantFrom([], [{ name: 'extra', mountPath: '/extra' }]),
  nodeSelector: stringMap,
  tolerations: fc.array(fc.record({ key: word, operator: fc.constant('Exists') }), { maxLength: 2 }),
  affinity: fc.constantFrom({}, { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }),
};

const application = {
  ...pod,
  readerConfig: fc
    .tuple(
      optional({
        modelName: word,
        device: fc.constantFrom('cpu', 'cuda'),
        consumerGroup: word,
        bufferRequests: fc.boolean(),
      }),
      extraKeys,
    )
    .map(([known, extra]) => ({ ...extra, ...known })),
  ports: fc.constantFrom([], [{ containerPort: 3000, name: 'inference' }]),
  modelsVolume: fc.constantFrom(
    { name: 'models', emptyDir: {} },
    { name: 'host', hostPath: { path: '/models' } },
    { name: 'claim', persistentVolumeClaim: { claimName: 'models' } },
  ),
  scaling: optional({
    enabled: fc.boolean(),
    annotations: stringMap,
    metricTarget: fc.record({ value: fc.integer({ min: 1, max: 10_000_000 }) }),
    spec: optional({
      minReplicaCount: fc.nat(1),
      maxReplicaCount: fc.integer({ min: 1, max: 9 }),
      cooldownPeriod: fc.nat(900),
    }),
  }),
};

/** What chart 1.8.2 knows besides. */
const application182 = {
  ...application,
  engine: fc.constantFrom('takeoff', 'external', 'external', 'sglang', ''),
  externalEngineImage: image,
  sidecarImage: image,
  sidecar: optional({ env, ports: fc.constantFrom([], [{ containerPort: 3004, name: 'reader' }]), resources }),
  readerConfig: fc
    .tuple(
      application.readerConfig,
      optional({
        enginePort: fc.oneof(fc.integer({ min: 1, max: 65535 }), fc.constantFrom('8000')),
        isEmbedding: fc.constantFrom(true, false, 'true', 'false', 0, 1),
      }),
    )
    .map(([known, engine]) => ({ ...known, ...engine })),
  shmSize: fc.constantFrom('1Gi', '16Gi', '512Mi'),
  startupProbe: fc.constantFrom({}, { httpGet: { path: '/health', port: 3000 }, failureThreshold: 90 }),
};

const gateway = optional({
  ...pod,
  config: extraKeys,
  service: optional({ type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer') }),
  ingress: fc.record({
    enabled: fc.boolean(),
    className: word,
    annotations: stringMap,
    hosts: fc.array(fc.record({ host: word, paths: fc.constant([{ path: '/', pathType: 'Prefix' }]) }), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  exportPrometheusMetrics: fc.boolean(),
});

const valuesWith = (application: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  optional({
    imagePullSecrets: fc.uniqueArray(fc.record({ name: word }), { selector: ({ name }) => name, maxLength: 2 }),
    nameOverride: label,
    fullnameOverride: label,
    serviceAccount: optional({ create: fc.boolean(), automount: fc.boolean(), annotations: stringMap, name: label }),
    gateway,
    applicationTemplate: application,
    applications: fc.dictionary(label, application, { maxKeys: 3, noNullPrototype: true }),
  });

export const chartCase: fc.Arbitrary<ChartCase> = fc.record({
  release: label,
  namespace: label,
  values: valuesWith(optional(application)).map((given) => given as InferenceStackSpec),
});

export const chartCase182: fc.Arbitrary<ChartCase<unknown>> = fc.record({
  release: label,
  namespace: label,
  values: valuesWith(optional(application182)),
});
