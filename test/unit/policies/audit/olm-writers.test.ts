import assert from 'node:assert/strict';
import { writersOf } from '../../../../components/guards/writers.ts';
import { audit, type AuditReport } from '../../../../policies/audit/audit.ts';
import { formatReport } from '../../../../policies/audit/format.ts';
import type { ClusterAccess } from '../../../../policies/knowledge/facts.ts';
import { ObjectReader } from '../../../../policies/knowledge/objects/object-reader.ts';
import { olmWritersAreKnown } from '../../../../policies/rules/olm-writers-are-known.ts';
import { binding, clusterRole } from '../../../support/policies/objects.ts';
import { withChanges } from '../../../support/policies/support.ts';

type Subjects = readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];

const OLM = 'olmv1-system';
const CONTROLLER = 'operator-controller-controller-manager';

function role(name: string, ...rules: readonly object[]): object {
  return withChanges(clusterRole(), [['metadata', 'name'], name], [['rules'], rules]);
}

function bound(name: string, to: string, ...subjects: Subjects): object {
  return withChanges(binding(to), [['metadata', 'name'], name], [['subjects'], subjects]);
}

function inNamespace(object: object, namespace: string, kind = 'RoleBinding'): object {
  return withChanges(object, [['kind'], kind], [['metadata', 'namespace'], namespace]);
}

function controller(name: string, namespace = OLM): object {
  const template = { spec: { serviceAccountName: name } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace }, spec: { template } };
}

const account = (namespace: string, name: string): Subjects[number] => ({ kind: 'ServiceAccount', namespace, name });
const user = (name: string): Subjects[number] => ({ kind: 'User', name });
const group = (name: string): Subjects[number] => ({ kind: 'Group', name });

const EVERYTHING = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
const WRITES = {
  apiGroups: ['olm.operatorframework.io'],
  resources: ['clusterextensions'],
  verbs: ['create', 'patch'],
};
const ROLES = [
  role('cluster-admin', EVERYTHING),
  role('editor', WRITES),
  role('viewer', { ...WRITES, verbs: ['get'] }),
  role('support', { apiGroups: [''], resources: ['serviceaccounts', 'users'], verbs: ['impersonate'] }),
  role('keda', { apiGroups: ['keda.sh'], resources: ['*'], verbs: ['*'] }),
  role('system:controller:generic-garbage-collector', { ...EVERYTHING, verbs: ['patch', 'update'] }),
];
/** What every cluster with OLM 1.11 has. */
const EXPECTED = [
  bound('cluster-admin', 'cluster-admin', group('system:masters')),
  bound('operator-controller-cluster-admin-rolebinding', 'cluster-admin', account(OLM, CONTROLLER)),
  bound(
    'system:controller:generic-garbage-collector',
    'system:controller:generic-garbage-collector',
    account('kube-system', 'generic-garbage-collector'),
  ),
  bound('catalogd-manager-rolebinding', 'editor', account(OLM, 'catalogd-controller-manager')),
];

interface Cluster {
  readonly bindings?: readonly object[];
  readonly roles?: readonly object[];
  readonly controllers?: readonly object[];
  readonly writers?: ClusterAccess['writers'];
  readonly listed?: readonly string[];
}

function audited(change: Cluster = {}, stage: 'prod' | 'dev' = 'prod'): AuditReport {
  const { bindings = [], roles = ROLES, writers, listed = [] } = change;
  const { controllers = [controller(CONTROLLER), controller('catalogd-controller-manager')] } = change;
  const read = (objects: readonly object[]): ObjectReader[] => objects.map((object) => new ObjectReader(object));
  const of = (kind: string): ObjectReader[] => read(roles).filter((each) => each.kind === kind);
  const access: ClusterAccess = {
    clusterRoles: of('ClusterRole'),
    roles: of('Role'),
    bindings: read([...EXPECTED, ...bindings]),
    controllers: read(controllers),
    ...(writers === undefined ? {} : { writers }),
  };
  const facts = { catalogs: [], cluster: { extensions: [], definitions: [], catalogs: [], access } };
  return audit([olmWritersAreKnown], { subjects: [], facts }, stage, {
    [olmWritersAreKnown.name]: { writers: listed },
  });
}

const levels = ({ findings }: AuditReport): string[] => findings.map(({ level, object }) => `${level} ${object}`);

describe('an audit of who can write ClusterExtensions and ClusterCatalogs', () => {
  it('tells of those who are expected to, by which binding and role, and why', () => {
    const { findings, expected } = audited();
    assert.deepEqual(findings, []);
    assert.deepEqual(
      expected.map(({ message }) => message),
      [
        "ClusterRoleBinding catalogd-manager-rolebinding lets ServiceAccount olmv1-system/catalogd-controller-manager write ClusterExtensions or ClusterCatalogs (create, patch on clusterextensions, by ClusterRole editor): OLM's own.",
        'ClusterRoleBinding cluster-admin lets Group system:masters write ClusterExtensions or ClusterCatalogs (* on *, by ClusterRole cluster-admin): cluster-admin in any case.',
        'ClusterRoleBinding operator-controller-cluster-admin-rolebinding lets ServiceAccount olmv1-system/operator-controller-controller-manager write ClusterExtensions or ClusterCatalogs (* on *, by ClusterRole cluster-admin): cluster-admin in any case.',
        "ClusterRoleBinding system:controller:generic-garbage-collector lets ServiceAccount kube-system/generic-garbage-collector write ClusterExtensions or ClusterCatalogs (patch, update on *, by ClusterRole system:controller:generic-garbage-collector): Kubernetes' own.",
      ],
    );
  });

  it('finds everybody else, a line for each binding', () => {
    const bindings = [
      bound('z-devs', 'editor', group('devs'), user('anna'), account('ci', 'deployer')),
      bound('viewers', 'viewer', group('everybody')),
      bound('keda', 'keda', account('keda', 'keda')),
      bound('nobody', 'editor'),
      bound('gone', 'no-such-role', user('anna')),
    ];
    const { findings, mandatory } = audited({ bindings });
    assert.equal(mandatory, 1);
    assert.deepEqual(
      findings.map(({ message }) => message),
      [
        'ClusterRoleBinding z-devs should not let Group devs, User anna, ServiceAccount ci/deployer write ClusterExtensions or ClusterCatalogs (create, patch on clusterextensions, by ClusterRole editor): OLM acts as cluster-admin, and so would they.',
      ],
    );
  });

  it('names only the surprising ones of those whom a binding is for', () => {
    const bindings = [bound('catalogd', 'editor', account(OLM, 'catalogd-controller-manager'), user('eve'))];
    assert.match(audited({ bindings }).findings[0]?.message ?? '', /should not let User eve write/);
  });

  it('expects API servers to reach kubelets', () => {
    const roles = [...ROLES, role('kubelets', { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['*'] })];
    const reaching = (name: string): AuditReport => audited({ roles, bindings: [bound('k', 'kubelets', user(name))] });
    assert.equal(reaching('kube-apiserver-kubelet-client').mandatory, 0);
    assert.equal(reaching('eve').mandatory, 1);
  });

  it('does not take others for Kubernetes’ own by the name of a binding', () => {
    const name = 'system:controller:generic-garbage-collector';
    const bindings = [bound(name, name, account('kube-system', 'another')), bound(`${name}-2`, name, user('eve'))];
    assert.equal(audited({ bindings }).mandatory, 2);
  });

  it('follows roles that gather others, before Kubernetes has done so, and in circles', () => {
    const gathering = (name: string, from: string, to: string): object =>
      withChanges(
        role(name),
        [['aggregationRule'], { clusterRoleSelectors: [{ matchLabels: { to: from } }] }],
        [['metadata', 'labels'], { to }],
      );
    const roles = [
      ...ROLES,
      gathering('admin', 'admin', 'circle'),
      gathering('middle', 'circle', 'admin'),
      withChanges(role('leaf', WRITES), [['metadata', 'labels'], { to: 'circle' }]),
    ];
    assert.deepEqual(levels(audited({ roles, bindings: [bound('admins', 'admin', user('eve'))] })), [
      'mandatory ClusterRoleBinding admins',
    ]);
  });

  it('finds those who can take the rights of others', () => {
    const bindings = [bound('support', 'support', group('support'))];
    assert.deepEqual(
      audited({ bindings }).findings.map(({ message }) => message),
      [
        'ClusterRoleBinding support should not let Group support take the rights of those who write ClusterExtensions or ClusterCatalogs (impersonate on serviceaccounts, impersonate on users, by ClusterRole support): OLM acts as cluster-admin, and so would they.',
      ],
    );
  });

  it('finds those who can do so in the namespace of OLM, and not in that of a team', () => {
    const tokens = { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] };
    const roles = [...ROLES, inNamespace(role('shell', tokens), OLM, 'Role')];
    const shell = withChanges(bound('shell', 'shell', user('eve')), [['roleRef', 'kind'], 'Role']);
    const bindings = [
      inNamespace(shell, OLM),
      inNamespace(bound('support', 'support', user('eve')), OLM),
      inNamespace(bound('support', 'support', user('eve')), 'team-a'),
      // A role in a namespace says nothing about what is in none.
      inNamespace(bound('editor', 'editor', user('eve')), OLM),
    ];
    assert.deepEqual(levels(audited({ roles, bindings })), [
      `mandatory RoleBinding ${OLM}/shell`,
      `mandatory RoleBinding ${OLM}/support`,
    ]);
  });

  it('finds those who can make or change what runs in the namespace of OLM, with its account', () => {
    const makers: Record<string, object> = {
      pods: { apiGroups: [''], resources: ['pods'], verbs: ['create'] },
      images: { apiGroups: [''], resources: ['pods'], verbs: ['patch'] },
      deployments: { apiGroups: ['apps'], resources: ['deployments'], verbs: ['update'] },
      jobs: { apiGroups: ['batch'], resources: ['*'], verbs: ['*'] },
    };
    const roles = [...ROLES, ...Object.entries(makers).map(([name, rule]) => role(name, rule))];
    for (const name of Object.keys(makers)) {
      const bindings = [OLM, 'team-a'].map((place) => inNamespace(bound(name, name, user('eve')), place));
      assert.deepEqual(levels(audited({ roles, bindings })), [`mandatory RoleBinding ${OLM}/${name}`]);
    }
  });

  describe('of a right in every namespace, which reaches the pods of OLM', () => {
    const roles = [
      ...ROLES,
      role('secrets', { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }),
      role('shell', { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] }),
      role('debug', { apiGroups: [''], resources: ['pods/ephemeralcontainers'], verbs: ['patch'] }),
      role('deploy', { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create', 'get'] }),
      role('one-secret', { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['ca'] }),
      role('pods', { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch', 'delete'] }),
    ];
    const DEPLOYMENT = `Deployment ${OLM}/${CONTROLLER}`;
    const messages = ({ findings }: AuditReport): string[] => findings.map(({ message }) => message);

    it('only tells, in one line', () => {
      const bindings = ['secrets', 'shell', 'debug', 'deploy', 'one-secret', 'pods'].map((name) =>
        bound(`b-${name}`, name, group('devs')),
      );
      const report = audited({ roles, bindings });
      assert.deepEqual(new Set(levels(report)), new Set([`advisory ${DEPLOYMENT}`]));
      const line = formatReport(report)
        .split('\n')
        .find((each) => each.includes(DEPLOYMENT));
      assert.ok(
        line?.endsWith(
          `${DEPLOYMENT}, which acts as cluster-admin, can be reached through ClusterRoleBinding b-debug (Group devs: patch on pods/ephemeralcontainers), ` +
            'b-deploy (Group devs: create on deployments), b-secrets (Group devs: get, list on secrets), b-shell (Group devs: create on pods/exec).',
        ),
        line,
      );
    });

    it('says nothing of those who are listed, of Kubernetes, of OLM and of the operators', () => {
      const expected = [
        group('platform'),
        group('system:masters'),
        user('system:kube-scheduler'),
        account('kube-system', 'job-controller'),
        account(OLM, 'catalogd-controller-manager'),
        account('inference-stack-operator-system', 'inference-stack-operator-v2'),
      ];
      const bindings = [bound('system:controller:job-controller', 'deploy', ...expected)];
      assert.deepEqual(audited({ roles, bindings, listed: ['Group platform'] }).findings, []);
      const more = [bound('system:controller:job-controller', 'deploy', ...expected, user('eve'))];
      assert.deepEqual(messages(audited({ roles, bindings: more, listed: ['Group platform'] })), [
        `${DEPLOYMENT}, which acts as cluster-admin, can be reached through ClusterRoleBinding system:controller:job-controller (User eve: create on deployments).`,
      ]);
    });

    it('says nothing of those whom it finds for more than that', () => {
      const both = [...roles, role('both', WRITES, { apiGroups: [''], resources: ['secrets'], verbs: ['get'] })];
      const report = audited({ roles: both, bindings: [bound('both', 'both', user('eve'))] });
      assert.deepEqual(levels(report), ['mandatory ClusterRoleBinding both']);
    });

    it('is bounded in the table', () => {
      const bindings = Array.from({ length: 60 }, (_, n) => bound(`b${n}`, 'secrets', user(`u${n}`)));
      const report = audited({ roles, bindings });
      assert.equal(report.advisory, 60);
      assert.ok(formatReport(report).includes(') and 10 more, which -o json lists.'));
    });
  });

  describe('where OLM does not act as cluster-admin', () => {
    it('only tells', () => {
      const elsewhere = [controller(CONTROLLER, 'elsewhere')];
      const report = audited({ controllers: elsewhere, bindings: [bound('devs', 'editor', group('devs'))] });
      assert.deepEqual(levels(report).at(-1), 'advisory ClusterRoleBinding devs');
      assert.equal(report.mandatory, 0);
      assert.match(
        report.findings.at(-1)?.message ?? '',
        /: OLM does not act as cluster-admin here, but does from 1\.11 on\.$/,
      );
    });

    it('says nothing where there is no OLM', () => {
      const { findings, expected } = audited({ controllers: [], bindings: [bound('devs', 'editor', group('devs'))] });
      assert.deepEqual([findings, expected], [[], []]);
    });
  });

  it('knows by the binding that OLM acts as cluster-admin, however it was given', () => {
    const place = 'elsewhere';
    const ways = [
      account(place, CONTROLLER),
      user(`system:serviceaccount:${place}:${CONTROLLER}`),
      group(`system:serviceaccounts:${place}`),
    ];
    for (const way of ways) {
      const roles = [...ROLES, role('all', EVERYTHING)];
      const bindings = [bound('all', 'all', way), bound('devs', 'editor', group('devs'))];
      const { mandatory } = audited({ controllers: [controller(CONTROLLER, place)], roles, bindings });
      assert.ok(mandatory > 0, JSON.stringify(way));
    }
  });

  describe('with a list', () => {
    const bindings = [bound('devs', 'editor', group('devs')), bound('support', 'support', group('support'))];

    it('expects those on it', () => {
      const { findings, expected } = audited({ bindings, listed: ['Group devs', 'Group support'] });
      assert.deepEqual(findings, []);
      assert.equal(expected.filter(({ message }) => message.endsWith(': listed.')).length, 2);
    });

    it('expects those whom the guard admits, and only tells of those whom it refuses', () => {
      const writers = writersOf(['Group platform']);
      const roles = [...ROLES, role('sets', { ...WRITES, resources: ['clusterobjectsets'] })];
      const more = [...bindings, bound('platform', 'editor', group('platform')), bound('sets', 'sets', group('devs'))];
      assert.deepEqual(levels(audited({ bindings: more, roles, writers })), [
        // The guard does not look at ClusterObjectSets.
        'mandatory ClusterRoleBinding sets',
        // The guard sees the name of whom they take the rights.
        'mandatory ClusterRoleBinding support',
        'advisory ClusterRoleBinding devs',
      ]);
    });
  });

  it('is bounded in the table, and whole in JSON', () => {
    const bindings = Array.from({ length: 60 }, (_, n) => bound(`b${n}`, 'editor', user(`u${n}`)));
    const admins = Array.from({ length: 30 }, (_, n) => bound(`a${n}`, 'cluster-admin', user(`u${n}`)));
    const report = audited({ bindings: [...bindings, ...admins] });
    assert.deepEqual([report.findings.length, report.expected.length], [60, 34]);
    const table = formatReport(report).split('\n');
    assert.equal(table.filter((line) => line.startsWith('mandatory ')).length, 51);
    assert.ok(table.some((line) => line.endsWith(' and 10 more objects, which -o json lists.')));
    assert.equal(table.filter((line) => line.startsWith('  ClusterRoleBinding ')).length, 20);
    assert.ok(table.includes('  and 14 more, which -o json lists.'));
    const crowd = Array.from({ length: 500 }, (_, n) => user(`u${n}`));
    const [first] = audited({ bindings: [bound('crowd', 'editor', ...crowd)] }).findings;
    assert.ok((first?.message.length ?? Infinity) < 400, first?.message);
  });
});
