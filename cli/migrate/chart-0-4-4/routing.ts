import type { Group } from './values.ts';

/** An alias of a group, and the group to which the chart sends its requests. */
export interface Route {
  readonly alias: string;
  readonly group: string;
}

/** The aliases of each group. Where several groups have the same alias, the chart sends all its requests to the last one by name. */
export function routingOf(
  groups: readonly (readonly [name: string, group: Group])[],
): Readonly<Record<string, Route[]>> {
  const last = new Map(
    groups.flatMap(([name, { modelAlias = [] }]) => modelAlias.map((alias) => [alias, name] as const)),
  );
  return Object.fromEntries(
    groups.map(([name, { modelAlias = [] }]) => [
      name,
      [...new Set(modelAlias)].map((alias) => ({ alias, group: last.get(alias) ?? name })),
    ]),
  );
}
