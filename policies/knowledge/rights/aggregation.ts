import { selects } from '../../../packages/kube/label-selector.ts';
import { selectorOf } from '../objects/label-selector.ts';
import type { ObjectReader } from '../objects/object-reader.ts';

/**
 * The rules of a role, with those of the roles that it aggregates. In a cluster a controller copies them into the role
 * sooner or later; in a program nothing does.
 */
export function rulesOf(role: ObjectReader, clusterRoles: readonly ObjectReader[]): ObjectReader[] {
  return gathered(role, clusterRoles, new Set());
}

function gathered(role: ObjectReader, all: readonly ObjectReader[], seen: Set<string>): ObjectReader[] {
  const selectors = role.list('aggregationRule', 'clusterRoleSelectors').map(selectorOf);
  const own = role.list('rules');
  if (selectors.length === 0) return own;
  const others = all.filter((other) => {
    const name = other.text('metadata', 'name') ?? '';
    if (seen.has(name) || !selectors.some((selector) => selects(selector, labelsOf(other)))) return false;
    seen.add(name);
    return true;
  });
  return [...own, ...others.flatMap((other) => gathered(other, all, seen))];
}

function labelsOf(role: ObjectReader): Record<string, string> {
  return Object.fromEntries(role.entries('metadata', 'labels').map(([key, value]) => [key, value.text() ?? '']));
}
