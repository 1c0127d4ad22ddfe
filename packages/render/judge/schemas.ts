import type { Schema } from '../../api/schema.ts';
import { VOLUME_SOURCES } from '../../api/volume.ts';

/*
 * The parts of a pod that a stack passes on as they are. The CRD leaves them open; here they have the fields that Kubernetes 1.30 has
 * (the oldest that is supported), so that a person hears of a mistake before the API server refuses the pods that come of it.
 */

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const OPEN: Schema = {};
const MAP: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const TEXTS: Schema = { type: 'array', items: TEXT };
const NUMBER_OR_NAME: Schema = { 'x-kubernetes-int-or-string': true, minimum: 1, maximum: 65_535 };

const number = (minimum: number, maximum?: number): Schema =>
  maximum === undefined ? { type: 'integer', minimum } : { type: 'integer', minimum, maximum };
const list = (items: Schema): Schema => ({ type: 'array', items });
const choice = (...values: string[]): Schema => ({ type: 'string', enum: values });
const fields = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
});

const HEADERS = list(fields({ name: TEXT, value: TEXT }, 'name', 'value'));
const HTTP_GET = fields(
  { path: TEXT, port: NUMBER_OR_NAME, host: TEXT, scheme: choice('HTTP', 'HTTPS'), httpHeaders: HEADERS },
  'port',
);
const EXEC = fields({ command: TEXTS }, 'command');

const PROBE = fields({
  httpGet: HTTP_GET,
  tcpSocket: fields({ port: NUMBER_OR_NAME, host: TEXT }, 'port'),
  exec: EXEC,
  grpc: fields({ port: number(1, 65_535), service: TEXT }, 'port'),
  initialDelaySeconds: number(0),
  timeoutSeconds: number(1),
  periodSeconds: number(1),
  successThreshold: number(1),
  failureThreshold: number(1),
  terminationGracePeriodSeconds: number(1),
});

/** Of a probe that restarts containers: once is enough for it. */
const RESTARTING_PROBE: Schema = {
  ...PROBE,
  properties: { ...PROBE.properties, successThreshold: number(1, 1) },
};

const TOLERATION = fields({
  key: TEXT,
  operator: choice('Exists', 'Equal'),
  value: TEXT,
  effect: choice('NoSchedule', 'PreferNoSchedule', 'NoExecute', ''),
  tolerationSeconds: { type: 'integer' },
});

const EXPRESSIONS = list(
  fields(
    { key: TEXT, operator: choice('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'), values: TEXTS },
    'key',
    'operator',
  ),
);
const NODE_TERM = fields({ matchExpressions: EXPRESSIONS, matchFields: EXPRESSIONS });
const SELECTOR = fields({
  matchLabels: MAP,
  matchExpressions: list(
    fields({ key: TEXT, operator: choice('In', 'NotIn', 'Exists', 'DoesNotExist'), values: TEXTS }, 'key', 'operator'),
  ),
});
const POD_TERM = fields(
  {
    labelSelector: SELECTOR,
    namespaces: TEXTS,
    namespaceSelector: SELECTOR,
    topologyKey: { type: 'string', minLength: 1 },
    matchLabelKeys: TEXTS,
    mismatchLabelKeys: TEXTS,
  },
  'topologyKey',
);
const WEIGHT = number(1, 100);
const POD_AFFINITY = fields({
  requiredDuringSchedulingIgnoredDuringExecution: list(POD_TERM),
  preferredDuringSchedulingIgnoredDuringExecution: list(
    fields({ weight: WEIGHT, podAffinityTerm: POD_TERM }, 'weight', 'podAffinityTerm'),
  ),
});
const AFFINITY = fields({
  nodeAffinity: fields({
    requiredDuringSchedulingIgnoredDuringExecution: fields({ nodeSelectorTerms: list(NODE_TERM) }, 'nodeSelectorTerms'),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      fields({ weight: WEIGHT, preference: NODE_TERM }, 'weight', 'preference'),
    ),
  }),
  podAffinity: POD_AFFINITY,
  podAntiAffinity: POD_AFFINITY,
});

const SPREAD = fields(
  {
    maxSkew: number(1),
    minDomains: number(1),
    topologyKey: { type: 'string', minLength: 1 },
    whenUnsatisfiable: choice('DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: SELECTOR,
    matchLabelKeys: TEXTS,
    nodeAffinityPolicy: choice('Honor', 'Ignore'),
    nodeTaintsPolicy: choice('Honor', 'Ignore'),
  },
  'maxSkew',
  'topologyKey',
  'whenUnsatisfiable',
);

const SHARED_SECURITY = {
  runAsUser: number(0),
  runAsGroup: number(0),
  runAsNonRoot: FLAG,
  seLinuxOptions: MAP,
  windowsOptions: MAP,
  appArmorProfile: MAP,
  seccompProfile: fields({ type: choice('RuntimeDefault', 'Unconfined', 'Localhost'), localhostProfile: TEXT }, 'type'),
};
const SECURITY = fields({
  ...SHARED_SECURITY,
  allowPrivilegeEscalation: FLAG,
  capabilities: fields({ add: TEXTS, drop: TEXTS }),
  privileged: FLAG,
  procMount: TEXT,
  readOnlyRootFilesystem: FLAG,
});
const POD_SECURITY = fields({
  ...SHARED_SECURITY,
  fsGroup: number(0),
  fsGroupChangePolicy: choice('OnRootMismatch', 'Always'),
  supplementalGroups: list(number(0)),
  supplementalGroupsPolicy: TEXT,
  seLinuxChangePolicy: TEXT,
  sysctls: list(fields({ name: TEXT, value: TEXT }, 'name', 'value')),
});

const KEY = fields({ name: TEXT, key: TEXT, optional: FLAG }, 'key');
const VALUE_FROM = fields({
  secretKeyRef: KEY,
  configMapKeyRef: KEY,
  fieldRef: fields({ apiVersion: TEXT, fieldPath: TEXT }, 'fieldPath'),
  resourceFieldRef: fields({ containerName: TEXT, resource: TEXT, divisor: OPEN }, 'resource'),
  fileKeyRef: MAP,
});
const ENV = fields({ name: TEXT, value: TEXT, valueFrom: VALUE_FROM }, 'name');

const PORT = fields(
  {
    containerPort: number(1, 65_535),
    name: TEXT,
    protocol: choice('TCP', 'UDP', 'SCTP'),
    hostPort: number(1, 65_535),
    hostIP: TEXT,
  },
  'containerPort',
);
const MOUNT = fields(
  {
    name: TEXT,
    mountPath: { type: 'string', minLength: 1 },
    subPath: TEXT,
    subPathExpr: TEXT,
    readOnly: FLAG,
    recursiveReadOnly: TEXT,
    mountPropagation: choice('None', 'HostToContainer', 'Bidirectional'),
  },
  'name',
  'mountPath',
);
const VOLUME = fields({ name: TEXT, ...Object.fromEntries(VOLUME_SOURCES.map((source) => [source, MAP])) }, 'name');
const RESOURCES = fields({ limits: MAP, requests: MAP, claims: list(MAP) });
const INIT_CONTAINER = fields(
  {
    ...Object.fromEntries(
      ['terminationMessagePath', 'terminationMessagePolicy', 'workingDir'].map((name) => [name, TEXT]),
    ),
    ...{ name: TEXT, image: TEXT, command: TEXTS, args: TEXTS, env: list(ENV), envFrom: list(MAP), ports: list(PORT) },
    ...{ resources: RESOURCES, securityContext: SECURITY, volumeMounts: list(MOUNT), volumeDevices: list(MAP) },
    ...{ livenessProbe: RESTARTING_PROBE, readinessProbe: PROBE, startupProbe: RESTARTING_PROBE, lifecycle: MAP },
    ...{ imagePullPolicy: choice('Always', 'IfNotPresent', 'Never'), restartPolicy: choice('Always') },
    ...{ resizePolicy: list(MAP), stdin: FLAG, stdinOnce: FLAG, tty: FLAG },
  },
  'name',
  'image',
);

/** What a gateway, an application or the template of applications passes on, by the name of the field. */
export const POD_PARTS: Readonly<Record<string, Schema>> = {
  affinity: AFFINITY,
  env: list(ENV),
  initContainers: list(INIT_CONTAINER),
  livenessProbe: RESTARTING_PROBE,
  podSecurityContext: POD_SECURITY,
  ports: list(PORT),
  readinessProbe: PROBE,
  resources: RESOURCES,
  securityContext: SECURITY,
  startupProbe: RESTARTING_PROBE,
  tolerations: list(TOLERATION),
  topologySpreadConstraints: list(SPREAD),
  volumeMounts: list(MOUNT),
  volumes: list(VOLUME),
};
