import { isObject, listAt, textAt } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';

/** Variables of one list of the values, and the names of those that the chart sets itself, so that the values' had no effect. */
export interface Variables {
  readonly env: unknown;
  readonly overruled: readonly string[];
}

/** The variables that had an effect. Of several with one name it is the last, and a spec has each name once. */
export function effectiveEnv({ env, overruled }: Variables): unknown {
  if (!Array.isArray(env)) return env;
  const variables = env as readonly unknown[];
  const isLast = (name: string, index: number): boolean =>
    variables.findLastIndex((other) => textAt(other, 'name') === name) === index;
  return variables.filter((variable, index) => {
    const name = textAt(variable, 'name');
    return !isObject(variable) || (!overruled.includes(name) && isLast(name, index));
  });
}

/** Tells of the variables that had no effect. A name that is there twice is no news. */
export function envNotices(path: string, { env, overruled }: Variables): Problem[] {
  return listAt(env).flatMap((variable, index) => {
    const value = textAt(variable, 'name');
    if (!overruled.includes(value)) return [];
    return [{ path: `${path}.env[${String(index)}]`, value, message: 'is left out: the chart sets it itself' }];
  });
}
