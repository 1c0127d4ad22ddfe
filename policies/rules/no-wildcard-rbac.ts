import { ALWAYS_MANDATORY } from '../core/levels.ts';
import type { ObjectReader } from '../core/object-reader.ts';
import { judge, words } from '../core/rule.ts';
import type { ObjectRule, Subject } from '../core/rule.ts';

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
      default: ['catalogd-', 'operator-controller-'],
      description: 'Beginnings of the names of roles and bindings that are not judged, such as those of OLM itself.',
    },
  },
  check: (subject, _facts, settings) => {
    const { object } = subject;
    if (object.group !== 'rbac.authorization.k8s.io') return [];
    return judge(subject, () => {
      const name = object.text('metadata', 'name') ?? '';
      if (words(settings, 'exempt').some((prefix) => name.startsWith(prefix))) return [];
      return object.kind.endsWith('Binding') ? bindingProblems(subject) : roleProblems(subject);
    });
  },
};

/** With any of these somebody can give himself rights that he does not have. */
const ESCALATING_VERBS: readonly string[] = ['bind', 'escalate', 'impersonate'];

/** The same by way of other objects: each entry is a resource and the verb that opens it. */
const ESCALATING_RESOURCES: Readonly<Record<string, readonly string[]>> = {
  'serviceaccounts/token': ['create'],
  'nodes/proxy': ['get', 'create'],
};

function bindingProblems({ object, title }: Subject): string[] {
  if (object.text('roleRef', 'name') !== 'cluster-admin') return [];
  const who = object.list('subjects').map((subject) => `${subject.text('kind') ?? ''} ${subject.text('name') ?? ''}`);
  return [`${title} should not give ${who.join(', ')} the role cluster-admin.`];
}

function roleProblems({ object, title }: Subject): string[] {
  return object
    .list('rules')
    .flatMap((rule) => [
      ...wildcards(rule).map((field) => `${title} should name what ${rule.path}.${field} grants instead of "*".`),
      ...escalations(rule).map(
        (what) => `${title} should not grant ${what} in ${rule.path}: it lets the holder take more rights.`,
      ),
    ]);
}

function wildcards(rule: ObjectReader): string[] {
  const fields = ['apiGroups', 'resources', 'verbs', 'nonResourceURLs'];
  return fields.filter((field) => rule.strings(field).some((word) => word.includes('*')));
}

function escalations(rule: ObjectReader): string[] {
  const verbs = rule.strings('verbs');
  const opened = rule.strings('resources').flatMap((resource) => {
    const opening = (ESCALATING_RESOURCES[resource] ?? []).filter((verb) => verbs.includes(verb));
    return opening.map((verb) => `${verb} on ${resource}`);
  });
  return [...verbs.filter((verb) => ESCALATING_VERBS.includes(verb)), ...opened];
}
