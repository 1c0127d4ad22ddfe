import type { Schema } from '../../../packages/api/schema.ts';

/** What the values of chart 0.4.4 may be. Kubernetes' own objects are open, and are checked as part of the spec. */

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const MAP: Schema = { type: 'object' };
const MAPS: Schema = { type: 'array', items: MAP };
const TEXTS: Schema = { type: 'array', items: TEXT };
const ANYTHING: Schema = {};

/** Helm writes a text of digits as a number. */
const NUMBER: Schema = { 'x-kubernetes-int-or-string': true, minimum: 0, pattern: '^[0-9]{1,9}$' };

function fields(properties: Record<string, Schema>, ...required: string[]): Schema {
  return { type: 'object', properties, required };
}

function eachOf(additionalProperties: Schema): Schema {
  return { type: 'object', additionalProperties };
}

function oneOf(...values: string[]): Schema {
  return { type: 'string', enum: values };
}

const POD = {
  image: fields({ repository: TEXT, tag: TEXT, pullPolicy: TEXT }),
  imagePullSecrets: { type: 'array', items: fields({ name: TEXT }, 'name') } satisfies Schema,
  replicaCount: NUMBER,
  containerPort: NUMBER,
  env: MAPS,
  resources: MAP,
  podAnnotations: MAP,
  podSecurityContext: MAP,
  securityContext: MAP,
  serviceAccount: fields({ create: FLAG, name: TEXT, annotations: MAP }),
  volumes: MAPS,
  volumeMounts: MAPS,
  nodeSelector: MAP,
  tolerations: MAPS,
  affinity: MAP,
};

const TIMES = {
  initialDelaySeconds: NUMBER,
  periodSeconds: NUMBER,
  timeoutSeconds: NUMBER,
  failureThreshold: NUMBER,
};

const PROBE = fields({ enabled: FLAG, type: oneOf('http', 'tcp'), path: TEXT, ...TIMES });

const ONWARDS = fields({
  ...POD,
  service: fields({ type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'), port: NUMBER, nodePort: NUMBER }),
  metrics: fields({ enabled: FLAG, port: NUMBER, prefix: TEXT, service: fields({ port: NUMBER }) }),
  probes: fields({ path: TEXT, startup: fields(TIMES), liveness: fields(TIMES), readiness: fields(TIMES) }),
  loadBalancer: fields({ enabled: FLAG, port: NUMBER, annotations: MAP, nameOverwrite: TEXT }),
  extraArgs: TEXTS,
});

const GROUP = fields({
  ...POD,
  enabled: FLAG,
  modelAlias: TEXTS,
  modelName: TEXT,
  apiKey: ANYTHING,
  service: fields({ type: TEXT, port: NUMBER }),
  additionalPorts: {
    type: 'array',
    items: fields(
      { name: TEXT, containerPort: NUMBER, servicePort: NUMBER, protocol: TEXT },
      ...['name', 'containerPort'],
    ),
  },
  strategy: MAP,
  command: TEXTS,
  args: TEXTS,
  startupProbe: PROBE,
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  persistentVolumes: {
    type: 'array',
    items: fields(
      {
        ...{ name: TEXT, mountPath: TEXT, subPath: TEXT, size: ANYTHING, storageClass: TEXT, storageClassName: TEXT },
        ...{ accessModes: TEXTS, labels: MAP, annotations: MAP, selector: MAP, volumeMode: TEXT },
      },
      ...['name', 'mountPath'],
    ),
  },
  initContainers: MAPS,
});

export const SCHEMA: Schema = fields({
  /** Helm's own, for subcharts. */
  global: ANYTHING,
  nameOverride: TEXT,
  fullnameOverride: TEXT,
  onwards: ONWARDS,
  modelGroups: eachOf(GROUP),
  configMaps: MAP,
  ingress: fields({ enabled: FLAG, className: TEXT, annotations: MAP, hosts: MAPS, tls: MAPS }),
  networkPolicy: fields({ enabled: FLAG, onwards: MAP, modelGroups: MAP }),
  serviceMonitor: fields({
    ...{ enabled: FLAG, namespace: TEXT, labels: MAP, annotations: MAP, interval: TEXT, scrapeTimeout: TEXT },
    ...{ tlsConfig: MAP, bearerTokenSecret: MAP },
  }),
});
