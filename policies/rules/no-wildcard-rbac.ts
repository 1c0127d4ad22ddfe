import { selects } from '../../controller/src/runtime/label-selector.ts';
import { ALWAYS_MANDATORY } from '../core/levels.ts';
import { selectorOf } from '../core/label-selector.ts';
import { known, type ObjectReader } from '../core/object-reader.ts';
import { attempt, judge, words } from '../core/rule.ts';
import type { Finding, ObjectRule, Subject } from '../core/rule.ts';

export const noWildcardRbac: ObjectRule = {
  scope: 'object',
  name: 'no-wildcard-rbac',
  title: 'Least privilege',
  description: 'Roles name what they grant: no wildcards, no verbs that grant more, no binding to cluster-admin.',
  severity: 'critical',
  levels: ALWAYS_MANDATORY,
  remedy:
    'List the API groups, resources and verbs that are needed; the installer of a bundle is generated from the bundle.',
  settings: {
    exempt: {
      type: 'array',
      items: { type: 'string' },
      // Up to OLM 1.10 it takes the tokens of installers, from 1.11 on it is cluster-admin itself. Exact names, since
      // anybody can call a binding of his own `operator-controller-x`.
      default: [
        'ClusterRole operator-controller-manager-role',
        'ClusterRoleBinding operator-controller-manager-rolebinding',
        'ClusterRoleBinding operator-controller-cluster-admin-rolebinding',
      ],
      description:
        "Roles and bindings that are not judged, as `Kind name` or `Kind namespace/name`, such as OLM's own.",
    },
  },
  check: (subject, _facts, settings) => {
    const { object } = subject;
    if (object.group !== 'rbac.authorization.k8s.io') return [];
    const exempt = words(settings, 'exempt');
    if (exempt.includes(known(() => fullName(object)) ?? '') && !changesRights(subject)) return [];
    if (object.kind.endsWith('Binding')) return judge(subject, () => bindingProblems(subject, exempt));
    return [
      ...judge(subject, () => aggregationProblems(subject)),
      ...attempt(subject, () => object.list('rules').flatMap((rule) => judgeRule(subject, rule))),
    ];
  },
};

/** The fields of a rule of a role. */
const FIELDS = ['apiGroups', 'resources', 'verbs', 'nonResourceURLs'] as const;

/** With any of these somebody can give himself rights that he does not have. */
const ESCALATING_VERBS: readonly string[] = ['bind', 'escalate', 'impersonate'];

/** The same by way of other objects: each entry is a resource and the verb that opens it. */
const ESCALATING_RESOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['serviceaccounts/token', ['create']],
  ['nodes/proxy', ['get', 'create']],
]);

/** `Role team-a/reader`, as Kubernetes itself tells objects apart. */
function fullName(object: ObjectReader): string {
  const namespace = object.text('metadata', 'namespace') ?? '';
  return `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${object.text('metadata', 'name') ?? ''}`;
}

/** What is exempt is so as its owner made it, and not with what others add. */
function changesRights({ patch }: Subject): boolean {
  return patch !== undefined && RIGHTS.some((field) => known(() => patch.has(field)) ?? true);
}

const RIGHTS = ['rules', 'aggregationRule', 'roleRef', 'subjects'] as const;

/** A role that is exempt because its holder is known must not be given to others, any more than cluster-admin. */
function bindingProblems({ object, title }: Subject, exempt: readonly string[]): string[] {
  const role = roleOf(object);
  const isExempt = exempt.includes(`ClusterRole ${role}`) && object.text('roleRef', 'kind') === 'ClusterRole';
  if (role !== CLUSTER_ADMIN && !isExempt) return [];
  const who = known(() =>
    object.list('subjects').map((subject) => `${text(subject, 'kind')} ${text(subject, 'name')}`),
  );
  return [`${title} should not give ${who?.join(', ') ?? UNNAMED} the role ${role}.`];
}

const CLUSTER_ADMIN = 'cluster-admin';

/** The role that a binding gives. Every API server makes a binding that is called as its role; a patch need not say so. */
function roleOf(object: ObjectReader): string {
  const name = known(() => object.text('metadata', 'name'));
  const isBuiltIn = object.kind === 'ClusterRoleBinding' && name === CLUSTER_ADMIN;
  return isBuiltIn ? CLUSTER_ADMIN : (object.text('roleRef', 'name') ?? '');
}

/** The labels of cluster-admin, as every API server sets them. */
const CLUSTER_ADMIN_LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

/** A role that gathers the rules of others has none of its own in a program: what its selectors reach decides. */
function aggregationProblems({ object, title }: Subject): string[] {
  const selectors = object.list('aggregationRule', 'clusterRoleSelectors').map(selectorOf);
  if (!selectors.some((selector) => selects(selector, CLUSTER_ADMIN_LABELS))) return [];
  return [`${title} should gather roles by a label of their own: its aggregationRule gathers cluster-admin as well.`];
}

/** Whoever it is, it is too much. */
const UNNAMED = '(known only after the update)';

function text(reader: ObjectReader, key: string): string {
  return known(() => reader.text(key) ?? '') ?? UNNAMED;
}

/** What is known of a rule is judged, whatever else is not: a wildcard stays one beside an unknown verb. */
function judgeRule(subject: Subject, rule: ObjectReader): Finding[] {
  const { title } = subject;
  const problems = [
    ...wildcards(rule).map((field) => `${title} should name what ${rule.path}.${field} grants instead of "*".`),
    ...escalations(rule).map(
      (what) => `${title} should not grant ${what} in ${rule.path}: it lets the holder take more rights.`,
    ),
  ];
  return [...judge(subject, () => problems), ...unread(subject, rule)];
}

/** What the rule grants besides, and is not known: once, also where it is the rule as a whole. */
function unread(subject: Subject, rule: ObjectReader): Finding[] {
  const findings = FIELDS.flatMap((field) =>
    judge(subject, () => {
      rule.strings(field);
      return [];
    }),
  );
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

function wildcards(rule: ObjectReader): string[] {
  return FIELDS.filter((field) => knownWords(rule, field).some((word) => word.includes('*')));
}

function escalations(rule: ObjectReader): string[] {
  const verbs = knownWords(rule, 'verbs');
  const opened = knownWords(rule, 'resources').flatMap((resource) => {
    const opening = (ESCALATING_RESOURCES.get(resource) ?? []).filter((verb) => verbs.includes(verb));
    return opening.map((verb) => `${verb} on ${resource}`);
  });
  return [...verbs.filter((verb) => ESCALATING_VERBS.includes(verb)), ...opened];
}

function knownWords(rule: ObjectReader, field: (typeof FIELDS)[number]): string[] {
  const items = known(() => rule.list(field)) ?? [];
  return items.flatMap((item) => known(() => item.text()) ?? []);
}
