import type { EnvVar } from '../api/types.ts';

/** Joins lists of environment variables in order of precedence: the first of a name wins, and order is kept. */
export function mergeEnv(...lists: (readonly EnvVar[] | undefined)[]): EnvVar[] {
  const names = new Set<string>();
  const merged: EnvVar[] = [];
  for (const list of lists) {
    for (const variable of list ?? []) {
      if (names.has(variable.name)) continue;
      names.add(variable.name);
      merged.push(variable);
    }
  }
  return merged;
}
