import { selects } from '../../packages/kube/label-selector.ts';
import { dangersIn, wideReach } from '../knowledge/rights/danger.ts';
import { selectorOf } from '../knowledge/objects/label-selector.ts';
import { ALWAYS_MANDATORY } from '../knowledge/levels.ts';
import { known, type ObjectReader } from '../knowledge/objects/object-reader.ts';
import {
  exemptSetting,
  holdersOf,
  isBinding,
  isJudged,
  OLM_RIGHTS,
  roleOf,
  unreadWords,
} from '../knowledge/rights/rbac.ts';
import { attempt, judge, words } from '../knowledge/rule.ts';
import type { Finding, ObjectRule, Subject } from '../knowledge/rule.ts';

export const noDangerousRights: ObjectRule = {
  scope: 'object',
  name: 'no-dangerous-rights',
  title: 'No rights that lead to others',
  description: 'Roles grant nothing by which their holders come by more, and no such role is given away.',
  severity: 'critical',
  levels: ALWAYS_MANDATORY,
  remedy:
    'Grant it in the namespace that needs it, or for objects by name; exempt a role whose holder has to be trusted.',
  // OLM keeps what it has installed in Secrets of its own namespace, and reads pull secrets there.
  settings: exemptSetting([
    ...OLM_RIGHTS,
    'Role olmv1-system/operator-controller-manager-role',
    'RoleBinding olmv1-system/operator-controller-manager-rolebinding',
    'Role olmv1-system/catalogd-manager-role',
    'RoleBinding olmv1-system/catalogd-manager-rolebinding',
  ]),
  check: (subject, _facts, settings) => {
    if (!isJudged(subject, settings)) return [];
    const { object } = subject;
    if (isBinding(object)) return judgeBinding(subject, words(settings, 'exempt'));
    return [
      ...judge(subject, () => aggregationProblems(subject)),
      ...attempt(subject, () => object.list('rules').flatMap((rule) => judgeRule(subject, rule))),
    ];
  },
};

function judgeRule(subject: Subject, rule: ObjectReader): Finding[] {
  const judgements = dangersIn(subject.object, rule);
  const findings = judgements.flatMap((judgement) =>
    judge(subject, () => judgement().map((what) => `${subject.title} should not grant ${what}.`)),
  );
  return [...findings, ...unreadWords(subject, rule)];
}

/** Roles that every cluster has, with most of these rights. */
const BUILT_IN: readonly string[] = [
  'admin',
  'edit',
  'system:aggregate-to-admin',
  'system:aggregate-to-edit',
  'system:kube-controller-manager',
  'system:node',
];

/** Kubernetes' names for users that it does not know. */
const STRANGERS: readonly string[] = ['system:unauthenticated', 'system:anonymous'];

function judgeBinding(subject: Subject, exempt: readonly string[]): Finding[] {
  const { object, title } = subject;
  const given = (): string => `${title} should not give ${holdersOf(object)} the role ${roleOf(object)}`;
  return [
    ...judge(subject, () => {
      const strangers = object.list('subjects').flatMap((each) => known(() => each.text('name')) ?? []);
      return strangers.some((name) => STRANGERS.includes(name)) ? [`${given()}: that is everybody.`] : [];
    }),
    ...judge(subject, () => {
      const place = BUILT_IN.includes(roleOf(object)) ? wideReach(object) : undefined;
      return place === undefined ? [] : [`${given()} in ${place}: it shows Secrets and opens pods there.`];
    }),
    ...judge(subject, () => {
      if (object.text('roleRef', 'kind') !== 'Role') return [];
      const role = `Role ${object.text('metadata', 'namespace') ?? ''}/${roleOf(object)}`;
      return exempt.includes(role) ? [`${given()}, which is exempt because of its holder.`] : [];
    }),
  ];
}

/** The label of Kubernetes' built-in roles. */
const BROUGHT = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

/** The labels by which Kubernetes aggregates roles for teams. */
const GATHERED = ['admin', 'edit'].map((role) => ({
  ...BROUGHT,
  [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true',
}));

function aggregationProblems({ object, title }: Subject): string[] {
  const selectors = object.list('aggregationRule', 'clusterRoleSelectors').map(selectorOf);
  const gathers = selectors.some(
    // no-wildcard-rbac judges a role that aggregates cluster-admin as well.
    (selector) => !selects(selector, BROUGHT) && GATHERED.some((labels) => selects(selector, labels)),
  );
  if (!gathers) return [];
  return [`${title} should gather roles by a label of their own: its aggregationRule gathers admin or edit as well.`];
}
