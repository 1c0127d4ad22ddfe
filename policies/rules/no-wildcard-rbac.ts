import { selects } from '../../packages/kube/label-selector.ts';
import { ALWAYS_MANDATORY } from '../knowledge/levels.ts';
import { selectorOf } from '../knowledge/objects/label-selector.ts';
import type { ObjectReader } from '../knowledge/objects/object-reader.ts';
import {
  CLUSTER_ADMIN,
  exemptSetting,
  holdersOf,
  isBinding,
  isJudged,
  knownWords,
  OLM_RIGHTS,
  roleOf,
  RULE_FIELDS,
  unreadWords,
} from '../knowledge/rights/rbac.ts';
import { attempt, judge, words } from '../knowledge/rule.ts';
import type { Finding, ObjectRule, Subject } from '../knowledge/rule.ts';

export const noWildcardRbac: ObjectRule = {
  scope: 'object',
  name: 'no-wildcard-rbac',
  title: 'Least privilege',
  description: 'Roles name what they grant: no wildcards, and no binding to cluster-admin.',
  severity: 'critical',
  levels: ALWAYS_MANDATORY,
  remedy:
    'List the API groups, resources and verbs that are needed; the installer of a bundle is generated from the bundle.',
  settings: exemptSetting(OLM_RIGHTS),
  check: (subject, _facts, settings) => {
    if (!isJudged(subject, settings)) return [];
    const { object } = subject;
    if (isBinding(object)) return judge(subject, () => bindingProblems(subject, words(settings, 'exempt')));
    return [
      ...judge(subject, () => aggregationProblems(subject)),
      ...attempt(subject, () => object.list('rules').flatMap((rule) => judgeRule(subject, rule))),
    ];
  },
};

/** Like cluster-admin, a role that is exempt because of its holder must not be given to others. */
function bindingProblems({ object, title }: Subject, exempt: readonly string[]): string[] {
  const role = roleOf(object);
  const isExempt = exempt.includes(`ClusterRole ${role}`) && object.text('roleRef', 'kind') === 'ClusterRole';
  if (role !== CLUSTER_ADMIN && !isExempt) return [];
  return [`${title} should not give ${holdersOf(object)} the role ${role}.`];
}

/** The labels of cluster-admin, as every API server sets them. */
const CLUSTER_ADMIN_LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

/** A role that aggregates others has no rules of its own in a program, so its selectors decide. */
function aggregationProblems({ object, title }: Subject): string[] {
  const selectors = object.list('aggregationRule', 'clusterRoleSelectors').map(selectorOf);
  if (!selectors.some((selector) => selects(selector, CLUSTER_ADMIN_LABELS))) return [];
  return [`${title} should gather roles by a label of their own: its aggregationRule gathers cluster-admin as well.`];
}

/** Judges what is known of a rule: a wildcard is wrong even beside an unknown verb. */
function judgeRule(subject: Subject, rule: ObjectReader): Finding[] {
  const problems = wildcards(rule).map(
    (field) => `${subject.title} should name what ${rule.path}.${field} grants instead of "*".`,
  );
  return [...judge(subject, () => problems), ...unreadWords(subject, rule)];
}

function wildcards(rule: ObjectReader): string[] {
  return RULE_FIELDS.filter((field) => knownWords(rule, field).some((word) => word.includes('*')));
}
