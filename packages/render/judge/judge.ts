import type { InferenceStack } from '../../api/types.ts';
import { pruneNulls, structuralProblems } from '../../api/structural.ts';
import { isObject, objectAt, objectsAt, valueAt } from '../../lib/json.ts';
import { formatProblem, type Problem } from '../../lib/problem.ts';
import { effectiveSpec } from '../effective.ts';
import { resourceProblems } from './resources.ts';
import * as rules from './rules.ts';
import { POD_PARTS } from './schemas.ts';
import { annotationProblems, DNS_LABEL, DNS_SUBDOMAIN, formProblems, labelProblems } from '../../api/text-forms.ts';

type Judge = (value: unknown, path: string) => Problem[];

/** Maps of which an application may write a part, and the template the rest. They are judged as they come together. */
const MAPS: Readonly<Record<string, Judge>> = {
  affinity: rules.affinityProblems,
  livenessProbe: rules.probeProblems,
  podSecurityContext: rules.userProblems,
  readinessProbe: rules.probeProblems,
  resources: resourceProblems,
  securityContext: rules.userProblems,
  startupProbe: rules.probeProblems,
};

/** Lists are taken as a whole, and so judged where they are written. */
const LISTS: Readonly<Record<string, Judge>> = {
  env: rules.envProblems,
  initContainers: initContainerProblems,
  ports: rules.portProblems,
  tolerations: rules.tolerationProblems,
  topologySpreadConstraints: rules.spreadProblems,
  volumeMounts: rules.mountProblems,
  volumes: rules.volumeProblems,
};

/** Texts with a form of their own. */
const TEXTS: Readonly<Record<string, Judge>> = {
  podLabels: labelProblems,
  podAnnotations: annotationProblems,
  nodeSelector: labelProblems,
  priorityClassName: (value, path) => formProblems(value, path, DNS_SUBDOMAIN),
  runtimeClassName: (value, path) => formProblems(value, path, DNS_SUBDOMAIN),
};

/**
 * What the API server, or the kubelet, will say to the pods of a valid stack, at the fields that somebody wrote. The CRD leaves these
 * parts open, so that without this a person hears of a mistake when no pod comes.
 */
export function podProblems({ spec }: InferenceStack): Problem[] {
  const effective = effectiveSpec(spec);
  const { gateway, applicationTemplate, applications = {} } = spec;
  const found = [
    ...writtenProblems(gateway, 'spec.gateway'),
    ...writtenProblems(applicationTemplate, TEMPLATE),
    ...mapProblems(effective.gateway, [['spec.gateway', gateway]]),
    ...Object.entries(applications).flatMap(([name, application]) => {
      const at = `spec.applications.${name}`;
      const layers: Layers = [
        [at, application],
        [TEMPLATE, applicationTemplate],
      ];
      return [...writtenProblems(application, at), ...mapProblems(effective.applications[name], layers)];
    }),
    ...nameProblems(spec),
  ];
  // What is wrong with the template is wrong with every application.
  return [...new Map(found.map((problem) => [formatProblem(problem), problem])).values()];
}

const TEMPLATE = 'spec.applicationTemplate';

/** Who may have written a value, the first that counts first. */
type Layers = readonly (readonly [path: string, values: unknown])[];

function writtenProblems(values: unknown, path: string): Problem[] {
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([field, value]) => {
    if (value === null || value === '') return [];
    const at = `${path}.${field}`;
    return (
      TEXTS[field]?.(value, at) ?? (LISTS[field] === undefined ? [] : partProblems(field, value, at, LISTS[field]))
    );
  });
}

/** Problems of maps that somebody wrote something of, at the layer that wrote it. */
function mapProblems(effective: unknown, layers: Layers): Problem[] {
  return Object.entries(MAPS).flatMap(([field, judge]) => {
    const writers = layers.filter(([, values]) => isObject(valueAt(values, field)));
    const [first] = writers;
    if (first === undefined) return [];
    return partProblems(field, valueAt(effective, field), field, judge).map((problem) => {
      const inner = problem.path.split('.').slice(0, 2);
      const [path] = writers.find(([, values]) => valueAt(values, ...inner) !== undefined) ?? first;
      return { ...problem, path: `${path}.${problem.path}` };
    });
  });
}

function partProblems(field: string, value: unknown, path: string, judge: Judge): Problem[] {
  const schema = POD_PARTS[field] ?? {};
  const pruned = pruneNulls(schema, value);
  const structural = structuralProblems(schema, pruned, path);
  return structural.length > 0 ? structural : judge(pruned, path);
}

function initContainerProblems(containers: unknown, path: string): Problem[] {
  const judges = { ...MAPS, ...LISTS };
  return objectsAt(containers).flatMap((container, index) => [
    ...formProblems(container['name'], `${path}[${index}].name`, DNS_LABEL),
    ...Object.entries(container).flatMap(
      ([field, value]) => judges[field]?.(value, `${path}[${index}].${field}`) ?? [],
    ),
  ]);
}

/** Names of other objects, and what the operator writes on others than pods. */
function nameProblems(spec: InferenceStack['spec']): Problem[] {
  return [
    ...objectsAt(spec, 'imagePullSecrets').flatMap((secret, index) =>
      formProblems(secret['name'], `spec.imagePullSecrets[${index}].name`, DNS_SUBDOMAIN),
    ),
    ...annotationProblems(objectAt(spec, 'serviceAccount', 'annotations'), 'spec.serviceAccount.annotations'),
    ...annotationProblems(objectAt(spec, 'gateway', 'ingress', 'annotations'), 'spec.gateway.ingress.annotations'),
  ];
}
