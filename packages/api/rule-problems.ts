import type { Problem } from '../lib/problem.ts';
import { messageOf, type Rule } from './rule.ts';
import { RULES } from './rules.ts';
import type { Schema } from './schema.ts';
import { isObject } from '../lib/json.ts';

const BY_CEL: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.cel, rule]));

/** Checks every rule of a schema on a value whose structure is sound. */
export function ruleProblems(schema: Schema, value: unknown, path = ''): Problem[] {
  if (value === null) return [];
  const ofThisValue = (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule: cel }) => {
    const rule = BY_CEL.get(cel);
    return rule === undefined || rule.holds(value as never) ? [] : [problemOf(rule, value, path)];
  });
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return [...ofThisValue, ...value.flatMap((item, index) => ruleProblems(items, item, `${path}[${String(index)}]`))];
  }
  if (!isObject(value)) return ofThisValue;
  const { properties = {}, additionalProperties = {} } = schema;
  const nested = Object.entries(value).flatMap(([key, field]) =>
    ruleProblems(properties[key] ?? additionalProperties, field, path === '' ? key : `${path}.${key}`),
  );
  return [...ofThisValue, ...nested];
}

function problemOf(rule: Rule, value: unknown, path: string): Problem {
  return { path: rule.field === undefined ? path : `${path}.${rule.field}`, message: messageOf(rule, value) };
}
