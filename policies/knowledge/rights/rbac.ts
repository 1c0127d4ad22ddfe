import { known, type ObjectReader } from '../objects/object-reader.ts';
import { judge, words } from '../rule.ts';
import type { Finding, Settings, SettingsSchema, Subject } from '../rule.ts';

const GROUP = 'rbac.authorization.k8s.io';

/**
 * What OLM's own controller may do: up to 1.10 it takes the tokens of installers, from 1.11 on it is cluster-admin itself.
 * Exact names, since anybody can call a binding of his own `operator-controller-x`.
 */
export const OLM_RIGHTS: readonly string[] = [
  'ClusterRole operator-controller-manager-role',
  'ClusterRoleBinding operator-controller-manager-rolebinding',
  'ClusterRoleBinding operator-controller-cluster-admin-rolebinding',
];

/**
 * The roles and bindings of OLM that write ClusterExtensions and ClusterCatalogs. 1.5.1 also has a role for people,
 * which is bound to nobody.
 */
export const OLM_WRITERS: readonly string[] = [
  ...OLM_RIGHTS,
  'ClusterRole operator-controller-clusterextension-editor-role',
  'ClusterRole catalogd-manager-role',
  'ClusterRoleBinding catalogd-manager-rolebinding',
];

/** The setting that exempts roles and bindings. */
export function exemptSetting(names: readonly string[]): SettingsSchema {
  return {
    exempt: {
      type: 'array',
      items: { type: 'string' },
      default: [...names],
      description:
        "Roles and bindings that are not judged, as `Kind name` or `Kind namespace/name`, such as OLM's own.",
    },
  };
}

/** Whether the object grants rights and is not exempt. */
export function isJudged(subject: Subject, settings: Settings): boolean {
  const { object } = subject;
  if (!givesRights(object)) return false;
  const isExempt = words(settings, 'exempt').includes(known(() => fullName(object)) ?? '');
  return !isExempt || changesRights(subject);
}

/** Whether the object is a role or a binding. */
export function givesRights(object: ObjectReader): boolean {
  return object.group === GROUP;
}

export function isBinding(object: ObjectReader): boolean {
  return object.kind.endsWith('Binding');
}

/** `Role team-a/reader`, as Kubernetes itself tells objects apart. */
function fullName(object: ObjectReader): string {
  const namespace = object.text('metadata', 'namespace') ?? '';
  return `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${object.text('metadata', 'name') ?? ''}`;
}

const RIGHTS = ['rules', 'aggregationRule', 'roleRef', 'subjects'] as const;

/** An object is exempt only as its owner made it, not with what others add. */
function changesRights({ patch }: Subject): boolean {
  return patch !== undefined && RIGHTS.some((field) => known(() => patch.has(field)) ?? true);
}

/** The fields of a rule of a role. */
export const RULE_FIELDS = ['apiGroups', 'resources', 'verbs', 'nonResourceURLs'] as const;

/** The known values of a field of a rule. What is known is judged, even when the rest is not. */
export function knownWords(rule: ObjectReader, field: (typeof RULE_FIELDS)[number]): string[] {
  const items = known(() => rule.list(field)) ?? [];
  return items.flatMap((item) => known(() => item.text()) ?? []);
}

/** What a rule also grants but is not known yet, reported once even if it is the whole rule. */
export function unreadWords(subject: Subject, rule: ObjectReader): Finding[] {
  const findings = RULE_FIELDS.flatMap((field) =>
    judge(subject, () => {
      rule.strings(field);
      return [];
    }),
  );
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

export const CLUSTER_ADMIN = 'cluster-admin';

/** The role that a binding gives. A patch of the API server's own binding may leave it out. */
export function roleOf(object: ObjectReader): string {
  const name = known(() => object.text('metadata', 'name'));
  const isBuiltIn = object.kind === 'ClusterRoleBinding' && name === CLUSTER_ADMIN;
  return isBuiltIn ? CLUSTER_ADMIN : (object.text('roleRef', 'name') ?? '');
}

/** The finding holds no matter who it is. */
const UNNAMED = '(known only after the update)';

/** The holders of a binding, in words. */
export function holdersOf(object: ObjectReader): string {
  const text = (reader: ObjectReader, key: string): string => known(() => reader.text(key) ?? '') ?? UNNAMED;
  const holders = known(() =>
    object.list('subjects').map((subject) => `${text(subject, 'kind')} ${text(subject, 'name')}`),
  );
  return holders?.join(', ') ?? UNNAMED;
}
