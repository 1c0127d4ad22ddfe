import { EXTENSION_GUARD } from '../../../components/guards/extension-guard.ts';
import { celTexts, policySpec } from '../../../components/guards/policy.ts';
import { stackGuard } from '../../../components/guards/stack-guard.ts';
import { WRITERS_GUARD, writersGuard } from '../../../components/guards/writers-guard.ts';
import { EVERYBODY, writersOf } from '../../../components/guards/writers.ts';
import { known, ObjectReader } from '../objects/object-reader.ts';

const GROUP = 'admissionregistration.k8s.io';

/** What each guard's policy should contain. The majors and the writers that it lists are not judged here. */
const SPECS: ReadonlyMap<string, ObjectReader> = new Map(
  [EXTENSION_GUARD, stackGuard([]), writersGuard(writersOf([]))].map((guard) => [
    guard.name,
    new ObjectReader(policySpec(guard)),
  ]),
);

export const GUARDS: readonly string[] = [...SPECS.keys()];

/** Optional guards. */
export const OPTIONAL_GUARDS: readonly string[] = [WRITERS_GUARD];

/** The guard whose policy this is, by its name; undefined for any other object. */
export function guardOfPolicy(object: ObjectReader): string | undefined {
  if (object.group !== GROUP || object.kind !== 'ValidatingAdmissionPolicy') return undefined;
  const name = known(() => object.text('metadata', 'name'));
  return GUARDS.find((guard) => guard === name);
}

/** The guard that a binding enforces. A patch may leave out the policy, but the fleet gives both the same name. */
export function guardOfBinding(object: ObjectReader): string | undefined {
  if (object.group !== GROUP || object.kind !== 'ValidatingAdmissionPolicyBinding') return undefined;
  const name = known(() => object.text('spec', 'policyName')) ?? known(() => object.text('metadata', 'name'));
  return GUARDS.find((guard) => guard === name);
}

/** What is wrong with an object of a guard. Each check runs on its own, since any value may be unknown. */
export type GuardCheck = (object: ObjectReader) => string | undefined;

export const POLICY_CHECKS: readonly GuardCheck[] = [
  failsClosed,
  looksAtEverything,
  hasNoOtherConditions,
  keeps('variables'),
  keeps('validations'),
  holdsSomebodyOff,
];

export const BINDING_CHECKS: readonly GuardCheck[] = [refuses, holdsForEverything];

function failsClosed(policy: ObjectReader): string | undefined {
  const isFail = (policy.text('spec', 'failurePolicy') ?? 'Fail') === 'Fail';
  return isFail ? undefined : 'should refuse what it cannot judge (failurePolicy: Fail)';
}

function looksAtEverything(policy: ObjectReader): string | undefined {
  const constraints = policy.child('spec', 'matchConstraints');
  const wanted = specOf(policy).list('matchConstraints', 'resourceRules').map(resources);
  const isWhole = wanted.every((each) => constraints.list('resourceRules').map(resources).includes(each));
  if (isWhole && !isNarrowed(constraints)) return undefined;
  return 'should look at everything that the fleet is about (matchConstraints)';
}

/** Every condition is one more way around the guard. */
function hasNoOtherConditions(policy: ObjectReader): string | undefined {
  const wanted = specOf(policy).list('matchConditions').map(expression);
  const others = policy.list('spec', 'matchConditions').filter((each) => !wanted.includes(expression(each)));
  if (others.length === 0) return undefined;
  const names = others.map((each) => each.text('name') ?? '');
  return `should have no conditions besides those of the fleet (matchConditions: ${names.join(', ')})`;
}

/** Checks besides those of the fleet can only refuse more. */
function keeps(list: 'variables' | 'validations'): GuardCheck {
  return (policy) => {
    const kept = policy.list('spec', list).map(expression);
    const isKept = specOf(policy)
      .list(list)
      .every((each) => kept.includes(expression(each)));
    return isKept ? undefined : `should keep the checks of the fleet (${list})`;
  };
}

/** A list of writers that includes everybody protects nothing. */
function holdsSomebodyOff(policy: ObjectReader): string | undefined {
  const listed = policy.list('spec', 'variables').flatMap((each) => celTexts(each.text('expression') ?? '') ?? []);
  const everybody = EVERYBODY.filter((each) => listed.includes(each.split(' ')[1] ?? ''));
  return everybody.length === 0 ? undefined : `should not admit ${everybody.join(', ')}, which is everybody`;
}

function refuses(binding: ObjectReader): string | undefined {
  const actions = binding.strings('spec', 'validationActions');
  if (actions.includes('Deny')) return undefined;
  const instead = actions.length === 0 ? '' : `, not only ${actions.join(', ')}`;
  return `should refuse what breaks the rules of the fleet (validationActions: [Deny])${instead}`;
}

function holdsForEverything(binding: ObjectReader): string | undefined {
  const matched = binding.child('spec', 'matchResources');
  if (matched.list('resourceRules').length === 0 && !isNarrowed(matched)) return undefined;
  return 'should hold for everything that its policy is about (matchResources)';
}

function specOf(policy: ObjectReader): ObjectReader {
  return SPECS.get(policy.text('metadata', 'name') ?? '') ?? new ObjectReader({});
}

/** The API server fills in selectors that select everything. */
function isNarrowed(match: ObjectReader): boolean {
  const selectors = ['namespaceSelector', 'objectSelector'].map((key) => match.child(key));
  const selects = selectors.some(
    (each) => each.entries('matchLabels').length + each.list('matchExpressions').length > 0,
  );
  return selects || match.list('excludeResourceRules').length > 0;
}

/** What a resource rule matches, in a form that can be compared. */
function resources(rule: ObjectReader): string {
  const lists = ['apiGroups', 'apiVersions', 'operations', 'resources', 'resourceNames'].map((key) =>
    rule.strings(key),
  );
  return JSON.stringify([...lists.map((list) => list.toSorted()), rule.text('scope') ?? '*']);
}

/** The name and expression of a condition, variable or check, without the majors or people that it lists. */
function expression(each: ObjectReader): string {
  const written = each.text('expression') ?? '';
  const text = celTexts(written) === undefined ? written : '[]';
  return JSON.stringify([each.text('name') ?? '', text.replace(/ in \[(?:'\d+'(?:, )?)*\]$/, ' in []')]);
}
