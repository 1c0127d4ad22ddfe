import { isObject, valueAt } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { isEmpty } from '../../../packages/lib/values.ts';

/** Tells of nulls that take a value away in Helm. In a spec they say nothing, so that what is below stays. */
export function nullNotices(path: string, values: unknown, below: unknown): Problem[] {
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([field, value]) => {
    const stays = valueAt(below, field);
    if (value !== null) return nullNotices(`${path}.${field}`, value, stays);
    if (isEmpty(stays) || stays === false) return [];
    const message = 'is null, which takes a value away in Helm and says nothing in a stack';
    return [{ path: `${path}.${field}`, message, remedy: 'What the template or the operator has stays.' }];
  });
}
