import { APPLICATION_DEFAULTS, GATEWAY_DEFAULTS, GPU_DEFAULTS } from './defaults.ts';
import { ENGINE_RULES } from './engine-rules.ts';
import { CHART_NAME, fullName, GATEWAY, given, LABEL_LIMIT } from './names.ts';
import type {
  Application,
  Disruption,
  EnvVar,
  Gateway,
  Gpu,
  InferenceStack,
  Ingress,
  ModelsVolume,
  ScalingSpec,
  ServicePort,
} from './types.ts';
import { applicationRule, inherited, nameRule, rule, type Rule } from './rule.ts';
import { VOLUME_SOURCES } from './volume.ts';

const LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
const SERVICE_NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

/** The pod label `application-<name>` has 63 characters at most. */
const APPLICATION_NAME_LIMIT = 51;

const { minReplicaCount: FEWEST, maxReplicaCount: MOST } = APPLICATION_DEFAULTS.scaling.spec;
const { terminationGracePeriodSeconds: APPLICATION_GRACE } = APPLICATION_DEFAULTS;
const { terminationGracePeriodSeconds: GATEWAY_GRACE } = GATEWAY_DEFAULTS;

export const RULES: readonly Rule[] = [
  rule(
    'InferenceStack',
    'metadata.name must have at most 63 characters, since it becomes a label',
    `size(self.metadata.name) <= ${String(LABEL_LIMIT)}`,
    ({ metadata }: InferenceStack) => metadata.name.length <= LABEL_LIMIT,
  ),
  rule(
    'InferenceStack',
    "metadata.name must consist of lower-case letters, digits and '-' and start with a letter, since it begins the " +
      'name of a Service; or set spec.fullnameOverride',
    `self.spec.?fullnameOverride.orValue('') != '' || self.metadata.name.matches('${SERVICE_NAME}')`,
    ({ metadata, spec }: InferenceStack) =>
      given(spec.fullnameOverride) !== undefined || new RegExp(SERVICE_NAME).test(metadata.name),
  ),
  rule(
    'InferenceStack',
    "the stack's full name and '-gateway' or an application's name must have at most 63 characters together: use a " +
      'shorter metadata.name, application name or spec.fullnameOverride',
    fullNameRule(),
    (stack: InferenceStack) => longestName(stack) <= LABEL_LIMIT,
  ),
  nameRule(
    "application names must consist of lower-case letters, digits and '-', start and end with a letter or digit, have " +
      "at most 51 characters, and not be 'gateway'",
    `size(name) <= ${String(APPLICATION_NAME_LIMIT)} && name != '${GATEWAY}' && name.matches('${LABEL}')`,
    (name) => name.length <= APPLICATION_NAME_LIMIT && name !== GATEWAY && new RegExp(LABEL).test(name),
  ),
  rule(
    'InferenceStackSpec.applications',
    'an application must not be null: write {} for one that takes everything from the template',
    'self.all(name, self[name] != null)',
    (applications: Record<string, Application | null>) => !Object.values(applications).includes(null),
  ),
  applicationRule(
    'where scaling is enabled, minReplicaCount must not exceed maxReplicaCount (by default 1 and 4)',
    `!${inherited('scaling.enabled', false)} || ` +
      `${inherited('scaling.spec.minReplicaCount', FEWEST)} <= ${inherited('scaling.spec.maxReplicaCount', MOST)}`,
    (get) => {
      const min = get(({ scaling }) => scaling?.spec?.minReplicaCount) ?? FEWEST;
      const max = get(({ scaling }) => scaling?.spec?.maxReplicaCount) ?? MOST;
      return get(({ scaling }) => scaling?.enabled) !== true || min <= max;
    },
  ),
  applicationRule(
    "an application's drain.seconds must not exceed its terminationGracePeriodSeconds (by default 120)",
    `${inherited('drain.seconds', 0)} <= ${inherited('terminationGracePeriodSeconds', APPLICATION_GRACE)}`,
    (get) => {
      const grace = get((application) => application.terminationGracePeriodSeconds) ?? APPLICATION_GRACE;
      return (get(({ drain }) => drain?.seconds) ?? 0) <= grace;
    },
  ),
  rule(
    'Gateway',
    'drain.seconds must not exceed terminationGracePeriodSeconds (by default 60)',
    `self.?drain.?seconds.orValue(0) <= self.?terminationGracePeriodSeconds.orValue(${String(GATEWAY_GRACE)})`,
    ({ drain, terminationGracePeriodSeconds }: Gateway) =>
      (drain?.seconds ?? 0) <= (terminationGracePeriodSeconds ?? GATEWAY_GRACE),
  ),
  rule(
    'Application',
    'modelsVolume and modelCache exclude each other: use one of them',
    '!(has(self.modelsVolume) && has(self.modelCache))',
    ({ modelsVolume, modelCache }: Application) => modelsVolume === undefined || modelCache === undefined,
  ),
  rule(
    'ModelsVolume',
    'modelsVolume must have exactly one source, such as emptyDir, hostPath or persistentVolumeClaim',
    `[${VOLUME_SOURCES.map((source) => `has(self.${source})`).join(', ')}].filter(given, given).size() == 1`,
    (volume: ModelsVolume) => VOLUME_SOURCES.filter((source) => volume[source] !== undefined).length === 1,
  ),
  rule(
    'ScalingSpec',
    'scaleTargetRef is set by the operator: remove it',
    '!has(self.scaleTargetRef)',
    ({ scaleTargetRef }: ScalingSpec) => scaleTargetRef === undefined,
  ),
  rule(
    'ScalingSpec',
    'idleReplicaCount must be less than minReplicaCount (by default 1)',
    `!has(self.idleReplicaCount) || self.idleReplicaCount < self.?minReplicaCount.orValue(${String(FEWEST)})`,
    ({ idleReplicaCount, minReplicaCount }: ScalingSpec) =>
      idleReplicaCount === undefined || idleReplicaCount < (minReplicaCount ?? FEWEST),
  ),
  rule(
    'Disruption',
    'minAvailable and maxUnavailable exclude each other: use one of them',
    '!(has(self.minAvailable) && has(self.maxUnavailable))',
    ({ minAvailable, maxUnavailable }: Disruption) => minAvailable === undefined || maxUnavailable === undefined,
  ),
  rule(
    'Gpu',
    'product and minMemory work for nvidia.com GPUs only: use nodeSelector for others',
    `!(has(self.product) || has(self.minMemory)) || ` +
      `self.?resourceName.orValue('${GPU_DEFAULTS.resourceName}').startsWith('nvidia.com/')`,
    ({ product, minMemory, resourceName = GPU_DEFAULTS.resourceName }: Gpu) =>
      (product === undefined && minMemory === undefined) || resourceName.startsWith('nvidia.com/'),
  ),
  rule(
    'Ingress',
    'an enabled ingress needs at least one entry in hosts: use [{}] for every host',
    '!self.?enabled.orValue(false) || self.?hosts.orValue([]).size() > 0',
    ({ enabled, hosts }: Ingress) => enabled !== true || (hosts !== undefined && hosts.length > 0),
  ),
  rule(
    'GatewayService.ports',
    'each port must have a name where there is more than one',
    'self.size() < 2 || self.all(port, has(port.name))',
    (ports: ServicePort[]) => ports.length < 2 || ports.every(({ name }) => name !== undefined),
  ),
  rule(
    'EnvVar',
    'value and valueFrom exclude each other: use one of them',
    '!(has(self.value) && has(self.valueFrom))',
    ({ value, valueFrom }: EnvVar) => value === undefined || valueFrom === undefined,
  ),
  ...ENGINE_RULES,
];

/** Checks the length of the full name before it is cut: a name that would be cut is too long anyway. */
function fullNameRule(): string {
  const name = "(self.spec.?nameOverride.orValue('') != '' ? self.spec.nameOverride : '" + CHART_NAME + "')";
  const derived = `(self.metadata.name.contains(${name}) ? 0 : size(${name}) + 1) + size(self.metadata.name)`;
  const full = `(self.spec.?fullnameOverride.orValue('') != '' ? size(self.spec.fullnameOverride) : ${derived})`;
  const limit = String(LABEL_LIMIT);
  const applications = `self.spec.applications.all(name, full + 1 + size(name) <= ${limit})`;
  // A list of one stands in for the variable that CEL does not have: the name is looked at once, not per application.
  return `[${full}].all(full, full + size('-gateway') <= ${limit} && (!has(self.spec.applications) || ${applications}))`;
}

function longestName({ metadata, spec }: InferenceStack): number {
  const full = fullName(metadata.name, spec);
  return Math.max(...[GATEWAY, ...Object.keys(spec.applications ?? {})].map((suffix) => `${full}-${suffix}`.length));
}
