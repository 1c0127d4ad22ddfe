import type { Application, Gateway, InferenceStackSpec } from '../../../packages/api/types.ts';

/** A value that changes what is rendered, and beside what it does. */
export interface Sample<Part> {
  readonly value: unknown;
  readonly beside?: Part;
}

/** A sample for each field, or why the field renders nothing. The type checker asks for the sample of a new field. */
export type Samples<Part> = {
  readonly [Field in keyof Required<Part> as string extends Field ? never : Field]: Sample<Part> | string;
};

const OPEN: Application = { engine: 'vllm', model: { name: 'org/llm' } };
const EXTERNAL: Application = { engine: 'external' };
const CHECK = { httpGet: { port: 4000 } };

/** What gateways and applications have in common. */
const POD = {
  podAnnotations: { value: { a: 'b' } },
  podLabels: { value: { a: 'b' } },
  podSecurityContext: { value: { fsGroup: 7 } },
  securityContext: { value: { runAsUser: 7 } },
  resources: { value: { limits: { cpu: '7' } } },
  livenessProbe: { value: CHECK },
  readinessProbe: { value: CHECK },
  startupProbe: { value: CHECK },
  initContainers: { value: [{ name: 'a', image: 'b' }] },
  volumes: { value: [{ name: 'a', emptyDir: {} }] },
  volumeMounts: { value: [{ name: 'a', mountPath: '/a' }] },
  nodeSelector: { value: { a: 'b' } },
  tolerations: { value: [{ operator: 'Exists' }] },
  affinity: { value: { podAffinity: {} } },
  topologySpreadConstraints: { value: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' }] },
  priorityClassName: { value: 'high' },
  runtimeClassName: { value: 'nvidia' },
  disruption: { value: { enabled: false } },
} as const;

export const APPLICATION_SAMPLES: Samples<Application> = {
  ...POD,
  engine: { value: 'external' },
  engineRevision: 'every engine has one revision yet, and which one is kept is the business of the status',
  model: { value: { name: 'org/other' }, beside: OPEN },
  aliases: { value: ['other'], beside: OPEN },
  weight: 'has a meaning only beside another application of the same alias',
  command: { value: ['serve'], beside: OPEN },
  args: { value: ['--verbose'], beside: OPEN },
  port: { value: 4000, beside: OPEN },
  image: { value: { tag: 'other' } },
  externalEngineImage: { value: { repository: 'other', tag: '1' }, beside: EXTERNAL },
  sidecarImage: { value: { repository: 'other', tag: '1' }, beside: EXTERNAL },
  sidecar: { value: { resources: { limits: { cpu: '7' } } }, beside: EXTERNAL },
  env: { value: [{ name: 'A', value: 'b' }] },
  readerConfig: { value: { modelName: 'org/other' } },
  replicaCount: { value: 3 },
  ports: { value: [{ containerPort: 4000 }] },
  gpu: { value: { count: 2 } },
  shmSize: { value: '8Gi' },
  modelsVolume: { value: { emptyDir: {} } },
  modelCache: { value: { size: '7Gi' } },
  scaling: { value: { enabled: true } },
  rollout: 'is for the plan of the operator, which counts GPUs first',
  suspend: { value: true },
  drain: { value: { seconds: 7 } },
  terminationGracePeriodSeconds: { value: 77 },
  ingress: 'accepted from old manifests, without effect',
  service: 'accepted from old manifests, without effect',
  exportPrometheusMetrics: 'accepted from old manifests, without effect',
};

export const GATEWAY_SAMPLES: Samples<Gateway> = {
  ...POD,
  kind: { value: 'onwards' },
  revision: 'the gateway has one revision yet, and which one is kept is the business of the status',
  image: { value: { tag: 'other' } },
  config: { value: { maxUserBatchSize: 7 } },
  env: { value: [{ name: 'A', value: 'b' }] },
  replicaCount: { value: 3 },
  ports: { value: [{ containerPort: 4000 }] },
  service: { value: { type: 'LoadBalancer' } },
  ingress: { value: { enabled: true, hosts: [{}] } },
  drain: { value: { seconds: 7 } },
  terminationGracePeriodSeconds: { value: 77 },
  exportPrometheusMetrics: { value: true },
};

export const SPEC_SAMPLES: Samples<InferenceStackSpec> = {
  imagePullSecrets: { value: [{ name: 'a' }] },
  nameOverride: { value: 'other' },
  fullnameOverride: { value: 'other' },
  runtimeVersion: { value: '9.9.9' },
  serviceAccount: { value: { name: 'other' } },
  gateway: { value: { replicaCount: 3 } },
  networkPolicy: { value: { enabled: false }, beside: { applications: { llm: OPEN } } },
  applicationTemplate: { value: { replicaCount: 3 }, beside: { applications: { llm: {} } } },
  applications: { value: { llm: {} } },
};
