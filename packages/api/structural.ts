import type { Problem } from '../lib/problem.ts';
import type { Schema } from './schema.ts';
import { patternMessage, patternRemedy } from './patterns.ts';
import { choiceRemedy, fieldRemedy, rangeRemedy, typeRemedy } from './remedies.ts';
import { isObject } from '../lib/json.ts';
import { setOwn } from '../lib/values.ts';

/** The message about a field that the schema does not have. */
export const UNKNOWN_FIELD = 'is not a field of this API';

/** Leaves out nulls where the schema does not allow them, as the API server does before it looks any closer. */
export function pruneNulls(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => pruneNulls(schema.items ?? {}, item));
  if (!isObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const fieldSchema = fieldSchemaOf(schema, key);
    const pruned = field === null && fieldSchema !== undefined && fieldSchema.nullable !== true;
    if (!pruned) setOwn(result, key, fieldSchema === undefined ? field : pruneNulls(fieldSchema, field));
  }
  return result;
}

/** Compares a value with a structural schema, as the API server does for a client that wants strict checking. */
export function structuralProblems(schema: Schema, value: unknown, path = ''): Problem[] {
  if (value === null && schema.nullable === true) return [];
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(schema, value, path);
  if (schema.type === undefined) return [];
  switch (schema.type) {
    case 'object':
      return isObject(value) ? mapProblems(schema, value, path) : [wrongType(schema, value, path)];
    case 'array':
      return Array.isArray(value) ? listProblems(schema, value, path) : [wrongType(schema, value, path)];
    case 'string':
      return typeof value === 'string' ? textProblems(schema, value, path) : [wrongType(schema, value, path)];
    case 'integer':
      return Number.isInteger(value) ? numberProblems(schema, Number(value), path) : [wrongType(schema, value, path)];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [wrongType(schema, value, path)];
  }
}

function intOrString(schema: Schema, value: unknown, path: string): Problem[] {
  if (typeof value === 'string') return textProblems(schema, value, path);
  if (Number.isInteger(value)) return numberProblems(schema, Number(value), path);
  return [{ path, value, message: 'must be of type integer or string', remedy: 'Write a number or a text.' }];
}

function mapProblems(schema: Schema, value: Record<string, unknown>, path: string): Problem[] {
  const { required = [], maxProperties } = schema;
  const problems: Problem[] = required
    .filter((field) => !Object.hasOwn(value, field))
    .map((field) => ({ path: join(path, field), message: 'is required', remedy: `Write ${field}: ….` }));
  if (maxProperties !== undefined && Object.keys(value).length > maxProperties) {
    problems.push({ path, ...tooMany(Object.keys(value).length, maxProperties) });
  }
  for (const [key, field] of Object.entries(value)) {
    const fieldSchema = fieldSchemaOf(schema, key);
    if (fieldSchema !== undefined) problems.push(...structuralProblems(fieldSchema, field, join(path, key)));
    else if (!isOpen(schema))
      problems.push({ path: join(path, key), message: UNKNOWN_FIELD, remedy: fieldRemedy(schema, key) });
  }
  return problems;
}

function fieldSchemaOf({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

function listProblems(schema: Schema, value: readonly unknown[], path: string): Problem[] {
  const { items = {}, maxItems, 'x-kubernetes-list-map-keys': [mapKey] = [] } = schema;
  const problems = value.flatMap((item, index) => structuralProblems(items, item, `${path}[${String(index)}]`));
  if (maxItems !== undefined && value.length > maxItems) {
    problems.push({ path, ...tooMany(value.length, maxItems) });
  }
  if (mapKey === undefined) return problems;
  const seen = new Set<unknown>();
  value.forEach((item, index) => {
    const key = isObject(item) ? item[mapKey] : undefined;
    if (seen.has(key))
      problems.push({
        path: `${path}[${String(index)}]`,
        value: { [mapKey]: key },
        message: 'appears twice',
        remedy: 'Leave one of them.',
      });
    seen.add(key);
  });
  return problems;
}

function textProblems(schema: Schema, value: string, path: string): Problem[] {
  const problem = (message: string): Problem => ({ path, value, message });
  const problems: Problem[] = [];
  // Characters, not UTF-16 units, are counted.
  const length = Array.from(value).length;
  if (schema.enum !== undefined && !schema.enum.includes(value))
    problems.push(
      told(problem(`must be one of ${schema.enum.map(orEmpty).join(', ')}`), choiceRemedy(value, schema.enum)),
    );
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    problems.push(told(problem(patternMessage(schema)), patternRemedy(schema)));
  if (schema.minLength !== undefined && length < schema.minLength)
    problems.push(told(problem('must not be empty'), 'Write something, or leave it out.'));
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    problems.push({
      path,
      value,
      message: `must have at most ${String(schema.maxLength)} characters, and has ${String(length)}`,
      remedy: 'Write a shorter one.',
    });
  }
  return problems;
}

function numberProblems(schema: Schema, value: number, path: string): Problem[] {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && value < minimum)
    return [{ path, value, message: `must be at least ${String(minimum)}`, remedy: rangeRemedy(schema) }];
  if (maximum !== undefined && value > maximum) {
    return [{ path, value, message: `must be at most ${String(maximum)}`, remedy: rangeRemedy(schema) }];
  }
  return [];
}

function wrongType(schema: Schema, value: unknown, path: string): Problem {
  return told({ path, value, message: `must be of type ${String(schema.type)}` }, typeRemedy(schema, value));
}

function tooMany(count: number, most: number): Pick<Problem, 'message' | 'remedy'> {
  return { message: `must have at most ${String(most)} entries, and has ${String(count)}`, remedy: 'Leave some out.' };
}

function orEmpty(choice: string): string {
  return choice === '' ? "''" : choice;
}

function told(problem: Problem, remedy: string | undefined): Problem {
  return remedy === undefined ? problem : { ...problem, remedy };
}

/** Metadata has rules of its own, which are the API server's. */
function isOpen(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.properties === undefined;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
