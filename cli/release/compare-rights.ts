import type { PolicyRule } from '../../packages/kube/policy-rule.ts';
import type { Finding } from './finding.ts';
import type { AskedRights } from './surface.ts';

/** One verb on one resource. */
interface Right {
  readonly scope: AskedRights['scope'];
  readonly group: string;
  readonly resource: string;
  /** Empty for objects of any name. */
  readonly name: string;
  readonly verb: string;
}

/**
 * Rights that a version asks for beyond those of the one before. OLM up to 1.10 installs with an account that was granted what the
 * version before needs, and an account cannot grant what it does not have: an upgrade that nobody watches would stop.
 */
export function compareRights(before: readonly AskedRights[], after: readonly AskedRights[]): Finding[] {
  const [was, is] = [before.flatMap(rightsOf), after.flatMap(rightsOf)];
  return [
    ...missing(is, was).map((right) => finding('breaking', right, 'is a new right')),
    ...missing(was, is).map((right) => finding('change', right, 'is no longer asked for')),
  ];
}

function rightsOf({ scope, rules }: AskedRights): Right[] {
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [''] }: PolicyRule) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) => verbs.map((verb) => ({ scope, group, resource, name, verb }))),
      ),
    ),
  );
}

/** Those of some rights that others do not cover. */
function missing(wanted: readonly Right[], given: readonly Right[]): Right[] {
  return wanted.filter((right) => !given.some((other) => covers(other, right)));
}

function covers(given: Right, wanted: Right): boolean {
  const has = (key: 'group' | 'resource' | 'verb'): boolean => given[key] === '*' || given[key] === wanted[key];
  return (
    (given.scope === 'cluster' || given.scope === wanted.scope) &&
    has('group') &&
    has('resource') &&
    has('verb') &&
    (given.name === '' || given.name === wanted.name)
  );
}

function finding(effect: Finding['effect'], { scope, group, resource, name, verb }: Right, message: string): Finding {
  const what = [resource, ...(group === '' ? [] : [group])].join('.') + (name === '' ? '' : `/${name}`);
  const where = scope === 'cluster' ? 'across the cluster' : "in the operators' namespace";
  return { area: 'rights', effect, object: `Rights ${where}`, path: what, message: `${verb} ${message}` };
}
