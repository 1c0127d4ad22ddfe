import { DEFAULT_RUNTIME_VERSION } from './constants.ts';
import type { Application, FrozenDefaults, Gateway, InferenceStack, Scaling, ServiceAccount } from './types.ts';

/**
 * What the operator fills in where a stack says nothing. The CRD carries no defaults of its own: it is shared by all
 * operators, and a default in an application would hide the application template.
 */

const IMAGE = { repository: 'tytn/takeoff-pro', pullPolicy: 'IfNotPresent' } as const;

export const SERVICE_ACCOUNT_DEFAULTS = { create: true, automount: true } satisfies ServiceAccount;

/** Port on which the gateway's Service answers the readers and the scaler. */
export const INTERNAL_PORT = 3005;

/** Port on which the gateway shows its metrics. */
export const MANAGEMENT_PORT = 3001;

export const GATEWAY_DEFAULTS = {
  image: IMAGE,
  config: { internalPort: INTERNAL_PORT },
  replicaCount: 1,
  ports: [
    { containerPort: 3000, protocol: 'TCP', name: 'inference' },
    { containerPort: MANAGEMENT_PORT, protocol: 'TCP', name: 'management' },
    { containerPort: 3003, protocol: 'TCP', name: 'openai' },
    { containerPort: INTERNAL_PORT, protocol: 'TCP', name: 'internal' },
  ],
  service: {
    type: 'ClusterIP',
    ports: [
      { port: 80, targetPort: 'openai', protocol: 'TCP', name: 'http' },
      { port: MANAGEMENT_PORT, protocol: 'TCP', name: 'management' },
      { port: 3000, protocol: 'TCP', name: 'inference' },
      { port: INTERNAL_PORT, protocol: 'TCP', name: 'internal' },
    ],
  },
  ingress: { enabled: false },
  terminationGracePeriodSeconds: 60,
  exportPrometheusMetrics: false,
} satisfies Gateway;

/** The gateway Onwards. It has one port for clients, and one for its metrics and health. */
export const ONWARDS_DEFAULTS = {
  replicaCount: 1,
  ports: [
    { containerPort: 3000, protocol: 'TCP', name: 'http' },
    { containerPort: 9090, protocol: 'TCP', name: 'metrics' },
  ],
  service: {
    type: 'ClusterIP',
    ports: [
      { port: 80, targetPort: 'http', protocol: 'TCP', name: 'http' },
      { port: 9090, targetPort: 'metrics', protocol: 'TCP', name: 'metrics' },
    ],
  },
  ingress: { enabled: false },
  terminationGracePeriodSeconds: 60,
  exportPrometheusMetrics: false,
} satisfies Gateway;

/** How long a gateway goes on serving: load balancers need about this long to notice that it leaves. */
export const GATEWAY_DRAIN_SECONDS = 10;

const SCALING = {
  enabled: false,
  metricTarget: { name: 'consumerGroupSize', value: 10 },
  spec: {
    pollingInterval: 60,
    initialCooldownPeriod: 300,
    cooldownPeriod: 300,
    minReplicaCount: 1,
    maxReplicaCount: 4,
    advanced: {},
  },
} as const satisfies Scaling;

export const APPLICATION_DEFAULTS = {
  image: IMAGE,
  readerConfig: {
    modelName: 'TitanML/dummy_model',
    device: 'cpu',
    consumerGroup: 'primary',
    bufferRequests: true,
  },
  replicaCount: 1,
  scaling: SCALING,
  rollout: 'auto',
  suspend: false,
  terminationGracePeriodSeconds: 120,
} satisfies Application;

/** What is the same for every open engine; the rest is in the engine's own table. */
export const OPEN_DEFAULTS = {
  replicaCount: 1,
  weight: 1,
  scaling: SCALING,
  rollout: 'auto',
  suspend: false,
} satisfies Application;

/** Port and images of an external engine, as the public chart 1.8.2 has them. */
export const EXTERNAL_DEFAULTS = {
  enginePort: 3000,
  externalEngineImage: { repository: 'tytn/engine', pullPolicy: 'IfNotPresent', tag: '1.1.4-sglang' },
  sidecarImage: { repository: 'tytn/gateway', pullPolicy: 'IfNotPresent', tag: '0.3.4-py' },
} as const;

/** Key of a Secret with a token. */
export const TOKEN_KEY = 'token';

export const GPU_DEFAULTS = { count: 1, resourceName: 'nvidia.com/gpu' } as const;

export const MODEL_CACHE_DEFAULTS = { accessMode: 'ReadWriteOnce', deletionPolicy: 'Retain' } as const;

export const DISRUPTION_DEFAULTS = { enabled: true, maxUnavailable: 1 } as const;

/** The defaults of this build of the operator that may change from one version to the next. */
export const OPERATOR_DEFAULTS: FrozenDefaults = { runtimeVersion: DEFAULT_RUNTIME_VERSION };

/** The defaults that a stack keeps: those that it started with. */
export function frozenDefaults(stack: InferenceStack): FrozenDefaults {
  return stack.status?.defaults ?? OPERATOR_DEFAULTS;
}
