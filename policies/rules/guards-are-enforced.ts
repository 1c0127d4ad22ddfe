import { OPERATOR_NAMESPACE, POD_SECURITY, POD_SECURITY_LABEL } from '../../packages/api/operator-names.ts';
import { FLEET_PACKAGES, isExtension, packageOf } from '../knowledge/olm/extension.ts';
import {
  BINDING_CHECKS,
  guardOfBinding,
  guardOfPolicy,
  GUARDS,
  OPTIONAL_GUARDS,
  POLICY_CHECKS,
  type GuardCheck,
} from '../knowledge/olm/guard.ts';
import { ADVISORY_IN_DEV } from '../knowledge/levels.ts';
import { known } from '../knowledge/objects/object-reader.ts';
import { judge, words } from '../knowledge/rule.ts';
import type { Finding, FleetRule, Settings, Subject } from '../knowledge/rule.ts';

export const guardsAreEnforced: FleetRule = {
  scope: 'fleet',
  name: 'guards-are-enforced',
  title: 'The guards are enforced',
  description: 'The cluster itself refuses what breaks the rules of the fleet, for everybody and in all places.',
  severity: 'high',
  levels: ADVISORY_IN_DEV,
  remedy: 'Set guards: deny, keep the admission policies as the program makes them, and the namespace restricted.',
  settings: FLEET_PACKAGES,
  check: (subjects, _facts, settings) => [
    ...subjects.flatMap((each) => (guardOfPolicy(each.object) === undefined ? [] : judgeAll(each, POLICY_CHECKS))),
    ...GUARDS.flatMap((guard) => judgeBindings(subjects.filter(({ object }) => guardOfBinding(object) === guard))),
    ...missingGuards(subjects, settings),
    ...subjects.flatMap(judgeNamespace),
  ],
};

function judgeAll(subject: Subject, checks: readonly GuardCheck[]): Finding[] {
  return checks.flatMap((check) =>
    judge(subject, () => {
      const problem = check(subject.object);
      return problem === undefined ? [] : [`${subject.title} ${problem}.`];
    }),
  );
}

/** One binding that refuses is enough; another may only warn. */
function judgeBindings(bindings: readonly Subject[]): Finding[] {
  const findings = bindings.map((binding) => judgeAll(binding, BINDING_CHECKS));
  return findings.some((each) => each.length === 0) ? [] : findings.flat();
}

/** Operators need guards in the same program or cluster. A program that only patches one may leave that to others. */
function missingGuards(subjects: readonly Subject[], settings: Settings): Finding[] {
  const packages = words(settings, 'packages');
  const extension = subjects.find(
    ({ object, patch }) =>
      patch === undefined && isExtension(object) && packages.includes(known(() => packageOf(object)) ?? ''),
  );
  if (extension === undefined) return [];
  return GUARDS.flatMap((guard) => {
    const missing = [
      ...(subjects.some(({ object }) => guardOfPolicy(object) === guard) ? [] : [`ValidatingAdmissionPolicy ${guard}`]),
      ...(subjects.some(({ object }) => guardOfBinding(object) === guard)
        ? []
        : [`ValidatingAdmissionPolicyBinding of ${guard}`]),
    ];
    // An optional guard may be missing, but only completely.
    if (missing.length === 2 && OPTIONAL_GUARDS.includes(guard)) return [];
    const message = `${extension.title} should not be without its guard: there is no ${missing.join(' and no ')}.`;
    return missing.length === 0 ? [] : [{ subject: extension, message, kind: 'violation' }];
  });
}

/** Pod security is the guard that Kubernetes has built in. */
function judgeNamespace(subject: Subject): Finding[] {
  const { object, title } = subject;
  if (object.kind !== 'Namespace' || object.group !== '') return [];
  return judge(subject, () => {
    if (object.text('metadata', 'name') !== OPERATOR_NAMESPACE) return [];
    if (object.text('metadata', 'labels', POD_SECURITY_LABEL) === POD_SECURITY) return [];
    return [`${title} should admit only pods without privileges (label ${POD_SECURITY_LABEL}: ${POD_SECURITY}).`];
  });
}
