import { createHash } from 'node:crypto';
import type { FieldSet, KubernetesObject } from './object.ts';
import { canonicalQuantity } from './quantity.ts';

/**
 * A hash of exactly those fields of a live object that the manager has applied. It equals the hash of the object that was
 * applied until somebody changes one of those fields, whatever else happens to the object. So drift can be seen
 * without keeping the object, and without asking the API server.
 */
export function appliedFingerprint(live: KubernetesObject, manager: string): string | undefined {
  const entry = live.metadata.managedFields?.find(
    ({ manager: name, operation, subresource }) =>
      name === manager && operation === 'Apply' && (subresource ?? '') === '',
  );
  return entry?.fieldsV1 === undefined ? undefined : hash(project(live, entry.fieldsV1));
}

/** The hash of an object that is about to be applied. */
export function desiredFingerprint(desired: KubernetesObject): string {
  // The API server does not count an object's identity among the fields that somebody has set.
  const metadata = without(desired.metadata, ['name', 'namespace']);
  return hash({ ...without(desired, ['apiVersion', 'kind']), metadata });
}

function without(object: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Whether the manager has applied the field at the path, e.g. `['spec', 'replicas']`. */
export function hasApplied(live: KubernetesObject, manager: string, path: readonly string[]): boolean {
  const entry = live.metadata.managedFields?.find((each) => each.manager === manager && each.operation === 'Apply');
  let node = entry?.fieldsV1;
  for (const step of path) node = node?.[`f:${step}`];
  return node !== undefined;
}

/** The part of a value that a field set names. */
function project(value: unknown, fields: FieldSet): unknown {
  const steps = Object.keys(fields).filter((step) => step !== '.');
  // A leaf: the manager has set the whole value, as with atomic lists.
  if (steps.length === 0) return value;
  if (Array.isArray(value)) return projectList(value, fields, steps);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Record<string, unknown>;
  const names = steps.filter((step) => step.startsWith('f:')).map((step) => step.slice(2));
  return Object.fromEntries(
    names.filter((name) => name in object).map((name) => [name, project(object[name], fields[`f:${name}`] ?? {})]),
  );
}

function projectList(list: readonly unknown[], fields: FieldSet, steps: readonly string[]): unknown[] {
  const keyed = steps
    .filter((step) => step.startsWith('k:'))
    .map((step) => ({ key: JSON.parse(step.slice(2)) as Record<string, unknown>, fields: fields[step] ?? {} }));
  const scalars = new Set(steps.filter((step) => step.startsWith('v:')).map((step) => step.slice(2)));
  return list.flatMap((element) => {
    if (scalars.has(JSON.stringify(element))) return [element];
    const match = keyed.find(({ key }) => matches(element, key));
    return match === undefined ? [] : [project(element, match.fields)];
  });
}

function matches(element: unknown, key: Readonly<Record<string, unknown>>): boolean {
  if (typeof element !== 'object' || element === null) return false;
  const object = element as Record<string, unknown>;
  return Object.entries(key).every(([name, value]) => object[name] === value);
}

function hash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value, '')).digest('base64url').slice(0, 22);
}

/** JSON with sorted keys, without nulls, and with quantities written as the API server writes them. */
function canonicalJson(value: unknown, field: string): string {
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element, '')).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries({ ...ATOMIC_DEFAULTS[field], ...value } as Record<string, unknown>)
    .filter((pair) => pair[1] !== undefined && pair[1] !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => {
      const plain = QUANTITY_MAPS.has(field) || key === 'sizeLimit' ? canonicalQuantity(child) : child;
      return `${JSON.stringify(key)}:${canonicalJson(plain, key)}`;
    });
  return `{${entries.join()}}`;
}

/** Maps that belong to their manager as a whole, together with what the API server fills in. */
const ATOMIC_DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  fieldRef: { apiVersion: 'v1' },
  resourceFieldRef: { divisor: '0' },
};

const QUANTITY_MAPS = new Set(['limits', 'requests']);
