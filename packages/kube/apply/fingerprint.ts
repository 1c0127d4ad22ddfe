import { hash as digest } from 'node:crypto';
import type { FieldSet, KubernetesObject } from '../object.ts';
import { canonicalQuantity } from '../quantity.ts';

/**
 * A hash of exactly those fields of a live object that the manager has applied. It equals the hash of the object that was
 * applied until somebody changes one of those fields, whatever else happens to the object. So drift can be seen
 * without keeping the object, and without asking the API server.
 */
export function appliedFingerprint(live: KubernetesObject, manager: string): string | undefined {
  const fields = appliedFields(live, manager);
  return fields === undefined ? undefined : hash(projectedJson(live, fields, ''));
}

function appliedFields({ metadata }: KubernetesObject, manager: string): FieldSet | undefined {
  return metadata.managedFields?.find(
    ({ manager: name, operation, subresource }) =>
      name === manager && operation === 'Apply' && (subresource ?? '') === '',
  )?.fieldsV1;
}

/** The hash of an object that is about to be applied. */
export function desiredFingerprint(desired: KubernetesObject): string {
  // The API server does not count an object's identity among the fields that somebody has set.
  const metadata = without(desired.metadata, ['name', 'namespace']);
  return hash(canonicalJson({ ...without(desired, ['apiVersion', 'kind']), metadata }, ''));
}

function without(object: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Whether the manager has applied the field at the path, e.g. `['spec', 'replicas']`. */
export function hasApplied(live: KubernetesObject, manager: string, path: readonly string[]): boolean {
  let node = appliedFields(live, manager);
  for (const step of path) node = node?.[`f:${step}`];
  return node !== undefined;
}

/** The canonical JSON of the part of a value that a field set names. */
function projectedJson(value: unknown, fields: FieldSet, field: string): string {
  const steps = Object.keys(fields).filter((step) => step !== '.');
  // A leaf: the manager has set the whole value, as with atomic lists.
  if (steps.length === 0) return canonicalJson(value, field);
  if (Array.isArray(value)) return projectedListJson(value, fields, steps);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = steps.filter((step) => step.startsWith('f:')).map((step) => step.slice(2));
  const json = (child: unknown, name: string): string => projectedJson(child, fields[`f:${name}`] ?? {}, name);
  return objectJson(value as Record<string, unknown>, names, field, json);
}

function projectedListJson(list: readonly unknown[], fields: FieldSet, steps: readonly string[]): string {
  const fieldsOf = keyedFields(fields, steps);
  const scalars = new Set(steps.filter((step) => step.startsWith('v:')).map((step) => step.slice(2)));
  const parts: string[] = [];
  for (const element of list) {
    const match = fieldsOf(element);
    if (match !== undefined) parts.push(projectedJson(element, match, ''));
    else if (scalars.has(JSON.stringify(element))) parts.push(canonicalJson(element, ''));
  }
  return `[${parts.join()}]`;
}

/**
 * Finds the owned fields of a list element by its key. Anybody may label a Deployment as ours and give it thousands of elements, so each is
 * looked up instead of compared with every key. All keys of one list have the same names.
 */
function keyedFields(fields: FieldSet, steps: readonly string[]): (element: unknown) => FieldSet | undefined {
  const keyed = new Map<string, FieldSet>();
  let names: readonly string[] | undefined;
  for (const step of steps) {
    if (!step.startsWith('k:')) continue;
    const key = JSON.parse(step.slice(2)) as Record<string, unknown>;
    names ??= Object.keys(key);
    keyed.set(keyOf(key, names), fields[step] ?? {});
  }
  return (element) =>
    names === undefined || typeof element !== 'object' || element === null
      ? undefined
      : keyed.get(keyOf(element as Record<string, unknown>, names));
}

function keyOf(element: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => element[name]));
}

function hash(json: string): string {
  return digest('sha256', json, 'base64url').slice(0, 22);
}

/** JSON with sorted keys, without nulls, and with quantities written as the API server writes them. */
export function canonicalJson(value: unknown, field: string): string {
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element, '')).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return objectJson(value as Record<string, unknown>, Object.keys(value), field, canonicalJson);
}

/** Those of an object's fields that are named, each written by `json`. This runs for every object that is ever seen. */
function objectJson(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
  field: string,
  json: (child: unknown, name: string) => string,
): string {
  const defaults = ATOMIC_DEFAULTS.get(field);
  const object = defaults === undefined ? value : { ...defaults, ...value };
  const allNames = defaults === undefined ? names : [...new Set([...Object.keys(defaults), ...names])];
  const quantities = QUANTITY_MAPS.has(field);
  let text = '';
  for (const name of allNames.toSorted()) {
    const child = Object.hasOwn(object, name) ? object[name] : undefined;
    if (child === undefined || child === null) continue;
    const plain = quantities || AMOUNTS.has(name) ? canonicalQuantity(child) : child;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${json(plain, name)}`;
  }
  return `{${text}}`;
}

/** Maps that belong to their manager as a whole, together with what the API server fills in. */
const ATOMIC_DEFAULTS: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map([
  ['fieldRef', { apiVersion: 'v1' }],
  ['resourceFieldRef', { divisor: '0' }],
]);

const QUANTITY_MAPS = new Set(['limits', 'requests']);
const AMOUNTS = new Set(['sizeLimit']);

/** Whether a field, inside of another, has an amount that can be written in several ways. */
export function isQuantity(parent: string, field: string): boolean {
  return QUANTITY_MAPS.has(parent) || AMOUNTS.has(field);
}
