import { isObject } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { closestName } from '../../packages/lib/similar.ts';
import { RENAMED } from './renamed.ts';

/**
 * One setting: how it is read, and what the reference page says about it. The type of the whole configuration is
 * inferred from its fields, so the checks, the types and the documentation cannot drift apart.
 */
export interface Field<T> {
  /** What the setting is for, in one sentence of the reference page. */
  readonly doc: string;
  /** What may be written, e.g. `text`, `one of stable, fast`. */
  readonly kind: string;
  /** The same for editors, as JSON schema; what is inside of a group comes from its fields. */
  readonly json: JsonSchema;
  /** True where there is something inside: Pulumi hands it over as JSON. */
  readonly structured: boolean;
  /** Whether it may be left out, and what it is then. */
  readonly absent: { readonly allowed: boolean; readonly value?: T };
  /** The settings inside, for groups and lists of groups. */
  readonly inner?: Shape;
  /** True where a problem must not show the value, or one inside it. */
  readonly secret: boolean;
  /** Turns what was written into the value; pushes every problem that it finds. */
  read(value: unknown, path: string, problems: Problem[]): T | undefined;
}

/** A JSON schema of draft 7, as editors read it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export type Shape = Readonly<Record<string, Field<unknown>>>;

/** The value that a field reads. */
export type ValueOf<F> = F extends Field<infer T> ? T : never;

/** The object that a shape reads. */
export type GroupOf<S extends Shape> = { readonly [K in keyof S]: ValueOf<S[K]> };

const GROUP = 'group';

export interface TextRules {
  readonly pattern?: RegExp;
  /** A check that a pattern cannot express. */
  readonly accepts?: (text: string) => boolean;
  /** What the pattern or the check asks for, in words. */
  readonly expected?: string;
  readonly secret?: boolean;
}

/** A string that is not empty. */
export function text(doc: string, rules: TextRules = {}): Field<string> {
  const { pattern, accepts, expected = 'a non-empty text', secret = false } = rules;
  const right = (written: string): boolean =>
    written !== '' && (pattern?.test(written) ?? true) && (accepts?.(written) ?? true);
  const read: Field<string>['read'] = (value, path, problems) => {
    const written = typeof value === 'number' ? String(value) : value;
    if (typeof written === 'string' && right(written)) return written;
    problems.push({ path, ...(secret ? {} : { value }), message: `must be ${expected}` });
    return undefined;
  };
  const form =
    pattern === undefined ? { minLength: 1 } : { pattern: pattern.source, patternErrorMessage: `must be ${expected}` };
  return { ...field(doc, 'text', { type: ['string', 'number'], ...form }, read), secret };
}

/** A whole number between two bounds. */
export function whole(doc: string, min: number, max: number): Field<number> {
  const json = {
    anyOf: [
      { type: 'integer', minimum: min, maximum: max },
      { type: 'string', pattern: '^\\d+$' },
    ],
  };
  return field(doc, `whole number from ${min} to ${max}`, json, (value, path, problems) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
    problems.push({ path, value, message: `must be a whole number from ${min} to ${max}` });
    return undefined;
  });
}

/** true or false. */
export function flag(doc: string): Field<boolean> {
  return field(doc, 'true or false', { enum: [true, false, 'true', 'false'] }, (value, path, problems) => {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    problems.push({ path, value, message: 'must be true or false' });
    return undefined;
  });
}

/** One of a few words. */
export function choice<const T extends string>(doc: string, options: readonly T[]): Field<T> {
  return field(doc, `one of ${options.join(', ')}`, { enum: options }, (value, path, problems) => {
    const found = options.find((option) => option === value);
    if (found === undefined) problems.push({ path, value, message: `must be one of ${options.join(', ')}` });
    return found;
  });
}

/** A list; every item is read, so that problems of all items show. */
export function list<T>(doc: string, item: Field<T>): Field<readonly T[]> {
  const { secret } = item;
  const read: Field<readonly T[]>['read'] = (value, path, problems) => {
    if (!Array.isArray(value)) {
      problems.push({ path, ...(secret ? {} : { value }), message: 'must be a list' });
      return undefined;
    }
    const items = value.map((each, index) => item.read(each, `${path}[${index}]`, problems));
    return items.every((each) => each !== undefined) ? items : undefined;
  };
  const inner = item.inner === undefined ? {} : { inner: item.inner };
  return { ...structured(doc, `list of ${item.kind}`, { type: 'array', items: item.json }, read), ...inner, secret };
}

/** Texts by free names, as in labels or resource quantities. */
export function texts(doc: string): Field<Readonly<Record<string, string>>> {
  const json = { type: 'object', additionalProperties: { type: 'string' } };
  return structured(doc, 'map of texts', json, (value, path, problems) => {
    const entries = isObject(value) ? Object.entries(value) : undefined;
    if (entries?.every(([, each]) => typeof each === 'string') === true) {
      return Object.fromEntries(entries.map(([key, each]) => [key, String(each)]));
    }
    problems.push({ path, value, message: 'must be a map from names to texts' });
    return undefined;
  });
}

/** Part of a Kubernetes object, as Kubernetes has it. Only the names of its fields are checked; the API server checks the rest. */
export function fragment(doc: string, fields: readonly string[]): Field<Readonly<Record<string, unknown>>> {
  const json = {
    type: 'object',
    properties: Object.fromEntries(fields.map((name) => [name, {}])),
    additionalProperties: false,
  };
  return structured(doc, `map with ${fields.join(', ')}`, json, (value, path, problems) => {
    const unknown = isObject(value) ? Object.keys(value).filter((key) => !fields.includes(key)) : undefined;
    if (unknown?.length === 0) return value as Readonly<Record<string, unknown>>;
    if (unknown === undefined) problems.push({ path, value, message: 'must be a map' });
    const remedy = `Known here: ${fields.join(', ')}.`;
    for (const key of unknown ?? []) problems.push({ path: `${path}.${key}`, message: 'is not a known field', remedy });
    return undefined;
  });
}

/** Settings that belong together. A group that is left out is read as an empty one, so that its defaults hold. */
export function group<S extends Shape>(doc: string, shape: S): Field<GroupOf<S>> {
  const secret = Object.values(shape).some((each) => each.secret);
  const read: Field<GroupOf<S>>['read'] = (value, path, problems) => {
    if (!isObject(value)) {
      problems.push({ path, ...(secret ? {} : { value }), message: 'must be a group of settings' });
      return undefined;
    }
    return readShape(shape, value, path, problems);
  };
  return { ...structured(doc, GROUP, shapeJson(shape), read), inner: shape, secret };
}

/** A field that may be left out; it is undefined then. */
export function optional<T>(inner: Field<T>): Field<T | undefined> {
  return { ...inner, absent: { allowed: true } };
}

/** A field that has a value when it is left out. */
export function defaulted<T>(inner: Field<T>, value: T): Field<T> {
  return { ...inner, absent: { allowed: true, value } };
}

/** Reads every field of a shape and names what the shape does not know. Fields with a problem are absent. */
export function readFields<S extends Shape>(
  shape: S,
  written: Readonly<Record<string, unknown>>,
  path: string,
  problems: Problem[],
): Partial<GroupOf<S>> {
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const key of Object.keys(written).filter((each) => !Object.hasOwn(shape, each))) {
    const renamed = RENAMED.get(at(key));
    const meant = closestName(key, Object.keys(shape));
    const remedy = meant === undefined ? `Known here: ${known(shape)}.` : `Did you mean ${meant}?`;
    problems.push({
      path: at(key),
      message: 'is not a known setting',
      remedy: renamed === undefined ? remedy : `It is called ${renamed} now.`,
    });
  }
  const values = Object.entries(shape).map(([key, each]) => [key, readField(each, written[key], at(key), problems)]);
  // Every field was read by its own type.
  return Object.fromEntries(values) as Partial<GroupOf<S>>;
}

/** Reads a whole shape; one with a problem yields nothing. */
function readShape<S extends Shape>(
  shape: S,
  written: Readonly<Record<string, unknown>>,
  path: string,
  problems: Problem[],
): GroupOf<S> | undefined {
  const before = problems.length;
  const values = readFields(shape, written, path, problems);
  return problems.length === before ? (values as GroupOf<S>) : undefined;
}

function readField<T>(each: Field<T>, value: unknown, path: string, problems: Problem[]): T | undefined {
  const written = value ?? (each.kind === GROUP && !each.absent.allowed ? {} : undefined);
  if (written !== undefined) return each.read(written, path, problems);
  if (!each.absent.allowed) problems.push({ path, message: 'is required', remedy: each.doc });
  return each.absent.value;
}

function field<T>(doc: string, kind: string, json: JsonSchema, read: Field<T>['read']): Field<T> {
  return { doc, kind, json, structured: false, absent: { allowed: false }, secret: false, read };
}

function structured<T>(doc: string, kind: string, json: JsonSchema, read: Field<T>['read']): Field<T> {
  return { ...field(doc, kind, json, read), structured: true };
}

function known(shape: Shape): string {
  return Object.keys(shape).sort().join(', ');
}

/** A shape for editors. */
export function shapeJson(shape: Shape): JsonSchema {
  const entries = Object.entries(shape);
  const required = entries.flatMap(([key, { absent, kind }]) => (absent.allowed || kind === GROUP ? [] : [key]));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, each]) => [key, fieldJson(each)])),
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
  };
}

/** What `pulumi config set --secret` writes in place of a value. */
const ENCRYPTED: JsonSchema = {
  type: 'object',
  properties: { secure: { type: 'string' } },
  required: ['secure'],
  additionalProperties: false,
};

function fieldJson({ doc: description, json, absent, secret }: Field<unknown>): JsonSchema {
  const written = secret ? { anyOf: [json, ENCRYPTED] } : json;
  return { description, ...written, ...(absent.value === undefined ? {} : { default: absent.value }) };
}
