import assert from 'node:assert/strict';
import type { Definition } from '../../../../components/api/crd-compatibility.ts';
import { compare, type Candidate } from '../../../../cli/release/compare.ts';
import { bumpProblems, type Bump } from '../../../../cli/release/finding.ts';
import type { AskedRights, Metric, RenderedStack, Surface } from '../../../../cli/release/surface.ts';
import { valueAt, type OpenObject } from '../../../../packages/lib/json.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

const NAME = 'kubernetes/chat';

function definition(properties: OpenObject, required: readonly string[] = []): Definition {
  const spec = { type: 'object', properties, required };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const object = (kind: string, more: OpenObject): OpenObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'chat', labels: { app: 'chat' } },
  ...more,
});

const OBJECTS: readonly OpenObject[] = [
  object('Deployment', {
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'chat' } },
      template: { spec: { containers: [{ name: 'engine', image: 'engine:1', args: ['--a', '--b'] }] } },
    },
  }),
  object('Service', { spec: { type: 'ClusterIP', selector: { app: 'chat' }, ports: [{ name: 'http', port: 80 }] } }),
  object('ConfigMap', { data: { 'config.yaml': 'a', 'table.json': '{}' } }),
  object('PersistentVolumeClaim', { spec: { resources: { requests: { storage: '1Gi' } } } }),
  object('Ingress', { spec: { ingressClassName: 'nginx', rules: [{ host: 'a.example.com' }] } }),
  object('NetworkPolicy', { spec: { ingress: [{ from: [{ podSelector: {} }] }] } }),
  object('ScaledObject', { spec: { scaleTargetRef: { name: 'chat' }, pollingInterval: 60 } }),
];

const stack: RenderedStack['stack'] = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'chat' }, spec: {} };
const rendered = (objects = OBJECTS, problems: readonly string[] = []): RenderedStack[] => [
  { name: NAME, stack, objects, problems },
];

const text = { type: 'string' };
const ACROSS: AskedRights = {
  scope: 'cluster',
  rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }],
};
const INSIDE: AskedRights = {
  scope: 'namespace',
  rules: [{ apiGroups: [''], resources: ['leases'], verbs: ['get'], resourceNames: ['one'] }],
};
const REQUESTS: Metric = { name: 'requests_total', type: 'counter', labels: ['code', 'method'] };
const BEFORE: Surface = {
  version: '3.0.0',
  definitions: [definition({ name: { ...text, maxLength: 10, enum: ['a', 'b'] }, size: text })],
  rights: [ACROSS, INSIDE],
  metrics: [REQUESTS],
  stacks: rendered(),
};

const SAME: Candidate = { ...BEFORE, running: rendered(), fresh: rendered() };

/** The same objects, with one value of one kind replaced, or without it. */
function changed(kind: string, path: string, value?: unknown): readonly OpenObject[] {
  return OBJECTS.map((one) => {
    if (one['kind'] !== kind) return one;
    const copy = structuredClone(one);
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    const parent = valueAt(copy, ...steps) as OpenObject;
    if (value === undefined) Reflect.deleteProperty(parent, last);
    else parent[last] = value;
    return copy;
  });
}

const both = (objects: readonly OpenObject[]): Partial<Candidate> => ({
  running: rendered(objects),
  fresh: rendered(objects),
});

/** The same program before and after; what each finding says. */
function findings(change: Partial<Candidate>): string[] {
  return compare(BEFORE, { ...SAME, ...change }).map(
    ({ effect, object: of, path, message }) => `${effect}: ${formatProblem({ object: of, path, message })}`,
  );
}

const api = (properties: OpenObject, required: readonly string[] = []): Partial<Candidate> => ({
  definitions: [definition(properties, required)],
});
const NAMED = { ...text, maxLength: 10, enum: ['a', 'b'] };
const SPEC = 'CustomResourceDefinition things.example.com: spec.versions[v1].spec';
const RUNNING = `of the running stack ${NAME}`;
const NEW = `of a new stack ${NAME}`;
const TEMPLATE = { spec: { containers: [{ name: 'engine', image: 'engine:2', args: ['--b', '--a'] }] } };

const CASES: Readonly<Record<string, readonly [change: Partial<Candidate>, ...expected: string[]]>> = {
  'nothing else': [{}],
  'a field that is gone': [
    api({ name: NAMED }),
    `breaking: ${SPEC}.size: is gone: what stacks say there would be erased`,
  ],
  'a narrower bound': [
    api({ name: { ...NAMED, maxLength: 5 }, size: text }),
    `breaking: ${SPEC}.name: maxLength was 10 (got 5)`,
  ],
  'a value that is no longer allowed': [
    api({ name: { ...NAMED, enum: ['a'] }, size: text }),
    `breaking: ${SPEC}.name: is no longer allowed (got "b")`,
  ],
  'a new required field': [
    api({ name: NAMED, size: text }, ['size']),
    `breaking: ${SPEC}.size: is now required, and was not before`,
  ],
  'a definition that is gone': [
    { definitions: [] },
    'breaking: CustomResourceDefinition things.example.com: spec: is gone',
  ],
  'a new field': [api({ name: NAMED, size: text, more: text }), `addition: ${SPEC}.more: is new, or allows more`],
  'a wider bound': [
    api({ name: { ...NAMED, maxLength: 20 }, size: text }),
    `addition: ${SPEC}.name: is new, or allows more`,
  ],
  'a stack that is refused': [
    { running: rendered([], ['spec: no']), fresh: rendered() },
    `breaking: the running stack ${NAME}: is refused: spec: no`,
  ],
  'a file that is refused': [
    { fresh: rendered([], ['spec: no']) },
    `breaking: a new stack ${NAME}: is refused: spec: no`,
  ],
  'an object that is gone': [
    both(OBJECTS.filter(({ kind }) => kind !== 'ConfigMap')),
    `breaking: ConfigMap chat ${RUNNING}: is gone`,
    `breaking: ConfigMap chat ${NEW}: is gone`,
  ],
  'an object that is new': [
    { running: rendered([...OBJECTS, object('PodDisruptionBudget', {})]) },
    `addition: PodDisruptionBudget chat ${RUNNING}: is new`,
  ],
  'pods that restart': [
    { running: rendered(changed('Deployment', 'spec.template', TEMPLATE)) },
    `breaking: Deployment chat ${RUNNING}: spec.template.spec.containers.engine.image, spec.template.spec.containers.engine.args[]: restarts the pods`,
  ],
  'another image for new stacks': [
    { fresh: rendered(changed('Deployment', 'spec.template', TEMPLATE)) },
    `change: Deployment chat ${NEW}: spec.template.spec.containers.engine.image, spec.template.spec.containers.engine.args[]: differs`,
  ],
  'a selector': [
    { running: rendered(changed('Deployment', 'spec.selector.matchLabels', { app: 'other' })) },
    `breaking: Deployment chat ${RUNNING}: spec.selector.matchLabels.app: cannot be changed in place`,
  ],
  'another number of replicas': [
    { running: rendered(changed('Deployment', 'spec.replicas', 2)) },
    `change: Deployment chat ${RUNNING}: spec.replicas: differs`,
  ],
  'a port that moved': [
    both(changed('Service', 'spec.ports', [{ name: 'http', port: 8080 }])),
    `breaking: Service chat ${RUNNING}: spec.ports.http.port: is no longer where clients connect to`,
    `breaking: Service chat ${NEW}: spec.ports.http.port: is no longer where clients connect to`,
  ],
  'one more port': [
    {
      running: rendered(
        changed('Service', 'spec.ports', [
          { name: 'http', port: 80 },
          { name: 'grpc', port: 90 },
        ]),
      ),
    },
    `addition: Service chat ${RUNNING}: spec.ports.grpc: is new`,
  ],
  "a Service's selector": [
    { running: rendered(changed('Service', 'spec.selector', { app: 'other' })) },
    `breaking: Service chat ${RUNNING}: spec.selector.app: changes who is reached, and from where`,
  ],
  'a file of a ConfigMap that is gone': [
    { running: rendered(changed('ConfigMap', 'data', { 'config.yaml': 'a' })) },
    `breaking: ConfigMap chat ${RUNNING}: data.table.json: is gone while pods may read it`,
  ],
  'other content of a ConfigMap': [
    { running: rendered(changed('ConfigMap', 'data', { 'config.yaml': 'b', 'table.json': '{}' })) },
    `change: ConfigMap chat ${RUNNING}: data.config.yaml: differs`,
  ],
  'a claim': [
    { running: rendered(changed('PersistentVolumeClaim', 'spec.resources', {})) },
    `breaking: PersistentVolumeClaim chat ${RUNNING}: spec.resources.requests: cannot be changed in place`,
  ],
  'a host that is gone': [
    { running: rendered(changed('Ingress', 'spec.rules', [])) },
    `breaking: Ingress chat ${RUNNING}: spec.rules[]: is no longer where clients connect to`,
  ],
  'who may connect': [
    { running: rendered(changed('NetworkPolicy', 'spec', { ingress: [] })) },
    `breaking: NetworkPolicy chat ${RUNNING}: spec.ingress[]: changes who may connect`,
  ],
  'a policy for stacks that run': [
    { running: rendered([...OBJECTS, { ...object('NetworkPolicy', {}), metadata: { name: 'more' } }]) },
    `breaking: NetworkPolicy more ${RUNNING}: changes who may connect`,
  ],
  'what is scaled': [
    { running: rendered(changed('ScaledObject', 'spec.scaleTargetRef', { name: 'other' })) },
    `breaking: ScaledObject chat ${RUNNING}: spec.scaleTargetRef.name: is no longer what is scaled`,
  ],
  'a label that is gone': [
    { running: rendered(changed('Service', 'metadata.labels')) },
    `breaking: Service chat ${RUNNING}: metadata.labels: is gone while people may select by it`,
  ],
  'one more verb': [
    {
      rights: [
        ...BEFORE.rights,
        { scope: 'cluster', rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] }] },
      ],
    },
    'breaking: Rights across the cluster: deployments.apps: * is a new right',
  ],
  'a right on one object that covers the namespace before': [
    { rights: [ACROSS, { scope: 'cluster', rules: INSIDE.rules }] },
    'breaking: Rights across the cluster: leases/one: get is a new right',
  ],
  'objects of any name': [
    {
      rights: [ACROSS, { scope: 'namespace', rules: [{ apiGroups: [''], resources: ['leases'], verbs: ['get'] }] }],
    },
    "breaking: Rights in the operators' namespace: leases: get is a new right",
  ],
  'fewer rights': [
    {
      rights: [
        INSIDE,
        { scope: 'cluster', rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }] },
      ],
    },
    'change: Rights across the cluster: deployments.apps: list is no longer asked for',
  ],
  'a metric that is gone': [{ metrics: [] }, 'breaking: Metric requests_total: is gone'],
  'another type of a metric': [
    { metrics: [{ ...REQUESTS, type: 'gauge' }] },
    'breaking: Metric requests_total: type: is gauge, and was counter',
  ],
  'another label of a metric': [
    { metrics: [{ ...REQUESTS, labels: ['code', 'host'] }] },
    'breaking: Metric requests_total: labels.method: is gone',
    'breaking: Metric requests_total: labels.host: splits every series',
  ],
  'one more metric': [
    { metrics: [...BEFORE.metrics, { name: 'new_total', type: 'counter', labels: [] }] },
    'addition: Metric new_total: is new',
  ],
};

describe('a release compared with the one before', () => {
  for (const [name, [change, ...expected]] of Object.entries(CASES)) {
    it(`finds ${name}`, () => assert.deepEqual(findings(change), expected));
  }

  it('finds nothing about a stack that both refuse, and an addition in one that is served now', () => {
    const refusing = { ...BEFORE, stacks: rendered([], ['no']) };
    const running = rendered([], ['never']);
    assert.deepEqual(
      compare(refusing, { ...SAME, running }).map(({ effect, message }) => [effect, message]),
      [['addition', 'is served, and was refused']],
    );
  });

  it('is refused by what it breaks unless its major is new, and by what it adds if it is a patch', () => {
    const found = compare(BEFORE, { ...SAME, metrics: [{ name: 'new_total', type: 'counter', labels: [] }] });
    const refusals = (bump: Bump): string[] => bumpProblems(found, bump, '3.0.1', '3.0.0').map(formatProblem);
    assert.deepEqual(refusals('major'), []);
    const gone =
      'Metric requests_total: is gone, which breaks what 3.0.0 promises, and 3.0.1 is the same major version. ' +
      'Keep the metric beside the new one, or release a new major version: alerts and dashboards read it.';
    assert.deepEqual(refusals('minor'), [gone]);
    assert.deepEqual(refusals('patch'), [
      gone,
      'Metric new_total: is new, and 3.0.1 is a patch of 3.0.0, which adds nothing. Release a new minor version instead.',
    ]);
  });
});
