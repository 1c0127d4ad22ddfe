import { RULES } from '../../packages/api/rules.ts';
import { isObject, listAt, objectsAt } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';

/** A node of an OpenAPI schema, as far as compatibility is concerned. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Keywords that admit less when they grow, and those that admit less when they shrink. */
const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/** Keywords for which one cannot tell whether a new value admits less, so any change or addition counts. */
const FIXED = [
  'pattern',
  'format',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'uniqueItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
] as const;

/**
 * Keywords that say how writers are merged, with their defaults. Any change counts, removal included: two writers of
 * one list that kept each other's entries would then erase them.
 */
const MERGED: Readonly<Record<string, unknown>> = {
  'x-kubernetes-list-type': 'atomic',
  'x-kubernetes-list-map-keys': undefined,
  'x-kubernetes-map-type': 'granular',
};

/** The schema of fields that an open object does not name: they may be anything. */
const ANYTHING: SchemaNode = { 'x-kubernetes-preserve-unknown-fields': true };

/** Everything that objects could say under the old schema and can no longer say under the new one. */
export function narrowings(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  return [
    ...typeProblems(before, after, path),
    ...boundProblems(before, after, path),
    ...FIXED.filter((key) => after[key] !== undefined && !isEqual(before[key], after[key])).map((key) => ({
      path,
      value: after[key],
      message: `${key} was ${describe(before[key])}`,
    })),
    ...mergeProblems(before, after, path),
    ...enumProblems(before, after, path),
    ...requiredProblems(before, after, path),
    ...ruleProblems(before, after, path),
    ...propertyProblems(before, after, path),
    ...newPropertyProblems(before, after, path),
    ...childProblems(before.items, after.items, `${path}[]`),
    ...additionalProblems(before.additionalProperties, after.additionalProperties, path),
  ];
}

function typeProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  const problems: Problem[] = [];
  const isOpenAfter = keepsUnknown(after) && after.type === undefined;
  if (!isOpenAfter && kindOf(before) !== kindOf(after)) {
    problems.push({ path, value: kindOf(after), message: `type was ${kindOf(before)}` });
  }
  if (before.nullable === true && after.nullable !== true) problems.push({ path, message: 'null was allowed' });
  if (keepsUnknown(before) && !keepsUnknown(after)) {
    problems.push({ path, message: 'unknown fields were kept, and would now be erased' });
  }
  return problems;
}

function kindOf(node: SchemaNode): string {
  if (node['x-kubernetes-int-or-string'] === true) return 'integer or string';
  return typeof node.type === 'string' ? node.type : 'anything';
}

function boundProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  const tighter = (key: string, isTighter: (was: number, is: number) => boolean): Problem[] => {
    const [was, is] = [before[key], after[key]];
    if (typeof is !== 'number' || (typeof was === 'number' && !isTighter(was, is))) return [];
    return [{ path, value: is, message: `${key} was ${describe(was)}` }];
  };
  return [
    ...LOWER_BOUNDS.flatMap((key) => tighter(key, (was, is) => is > was)),
    ...UPPER_BOUNDS.flatMap((key) => tighter(key, (was, is) => is < was)),
  ];
}

function mergeProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  return Object.entries(MERGED)
    .filter(([key, unsaid]) => !isEqual(before[key] ?? unsaid, after[key] ?? unsaid))
    .map(([key]) => ({
      path,
      ...(after[key] === undefined ? {} : { value: after[key] }),
      message: `${key} was ${describe(before[key])}`,
    }));
}

function enumProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  if (!Array.isArray(after.enum)) return [];
  const allowed = after.enum as readonly unknown[];
  if (!Array.isArray(before.enum)) return [{ path, value: allowed, message: 'any value was allowed' }];
  const lost = (before.enum as readonly unknown[]).filter((value) => !allowed.includes(value));
  return lost.map((value) => ({ path, value, message: 'is no longer allowed' }));
}

function requiredProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  const was = new Set(strings(before.required));
  const added = strings(after.required).filter((name) => !was.has(name));
  // What has a default is never missing.
  const missing = added.filter((name) => properties(after)[name]?.default === undefined);
  return missing.map((name) => ({ path: `${path}.${name}`, message: 'is now required, and was not before' }));
}

function ruleProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  const was = new Set(rules(before));
  return rules(after)
    .filter((rule) => !was.has(rule) && !isAboutNewFields(rule, before))
    .map((rule) => ({ path, value: rule, message: 'has a new rule' }));
}

/** Rules that hold wherever certain fields are not set, by their CEL. */
const ONLY_WITH = new Map(RULES.flatMap(({ cel, onlyWith }) => (onlyWith === undefined ? [] : [[cel, onlyWith]])));

/** Whether a rule is about nothing that the old schema lets anybody say. */
function isAboutNewFields(rule: string, before: SchemaNode): boolean {
  return ONLY_WITH.get(rule)?.every((path) => !admits(before, path.split('.'))) ?? false;
}

/** Whether objects may have something at a path, where `*` stands for any key. */
function admits(node: SchemaNode, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  const next = key === '*' ? node.additionalProperties : properties(node)[key];
  return isObject(next) ? admits(next, rest) : keepsUnknown(node);
}

function propertyProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  const now = properties(after);
  const isOpen = keepsUnknown(after) || after.additionalProperties !== undefined;
  return Object.entries(properties(before)).flatMap(([name, node]) => {
    const next = now[name];
    if (next !== undefined) return narrowings(node, next, `${path}.${name}`);
    return isOpen ? [] : [{ path: `${path}.${name}`, message: 'is gone: what stacks say there would be erased' }];
  });
}

/** In an object that kept unknown fields, stacks may already say anything under the new name. */
function newPropertyProblems(before: SchemaNode, after: SchemaNode, path: string): Problem[] {
  if (!keepsUnknown(before)) return [];
  const was = properties(before);
  return Object.entries(properties(after))
    .filter(([name, node]) => was[name] === undefined && narrowings(ANYTHING, node, '').length > 0)
    .map(([name]) => ({ path: `${path}.${name}`, message: 'could be anything, and now has a schema' }));
}

function additionalProblems(before: unknown, after: unknown, path: string): Problem[] {
  if (before === undefined || before === false) return [];
  if (after === undefined || after === false) return [{ path, message: 'any key was allowed' }];
  return childProblems(before, after, `${path}.*`);
}

function childProblems(before: unknown, after: unknown, path: string): Problem[] {
  return isObject(before) && isObject(after) ? narrowings(before, after, path) : [];
}

function keepsUnknown(node: SchemaNode): boolean {
  return node['x-kubernetes-preserve-unknown-fields'] === true;
}

function properties(node: SchemaNode): Readonly<Record<string, SchemaNode>> {
  return isObject(node.properties) ? (node.properties as Readonly<Record<string, SchemaNode>>) : {};
}

function rules(node: SchemaNode): string[] {
  return objectsAt(node, 'x-kubernetes-validations').flatMap(({ rule }) => (typeof rule === 'string' ? [rule] : []));
}

function strings(value: unknown): string[] {
  return listAt(value).filter((item) => typeof item === 'string');
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function describe(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}
