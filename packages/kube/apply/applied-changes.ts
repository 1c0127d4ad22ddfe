import { isObject, type OpenObject } from '../../lib/json.ts';
import type { FieldSet } from '../object.ts';
import { canonicalQuantity } from '../quantity.ts';
import { canonicalJson, isQuantity } from './fingerprint.ts';

/** A part of a live object, and who has set which of its fields. */
export interface LiveFields {
  readonly value: unknown;
  /** Those that the one who applies has set. */
  readonly owned: FieldSet | undefined;
  /** Those that anybody else has set. */
  readonly others: readonly (FieldSet | undefined)[];
}

/** Names of fields and keys of list elements, from the outside in. */
export type FieldPath = readonly string[];

/**
 * Where server-side apply, by force, would change a live value: as its manager applies it, fields that it names get their values, and those that it has
 * named before and leaves out now are removed, or fall back to the API server's default. The fingerprint tells that something is applied that was not
 * applied before; this tells whether the object would be another one. A pod template that stays as it is replaces no pods.
 */
export function appliedChanges(live: LiveFields, desired: unknown): FieldPath[] {
  return changes(live, desired, []);
}

function changes(live: LiveFields, desired: unknown, path: FieldPath): FieldPath[] {
  if (live.value === undefined) return [path];
  const { value, owned } = live;
  const leaf = owned !== undefined && Object.keys(owned).every((step) => step === '.');
  if (Array.isArray(desired) && Array.isArray(value)) {
    const keys = keyNames(owned);
    if (keys !== undefined) return elementChanges(live, desired, keys, path);
  } else if (!leaf && isObject(desired) && isObject(value)) {
    return fieldChanges(live, desired, path);
  }
  return sameValue(value, desired, path) ? [] : [path];
}

function fieldChanges({ value, owned, others }: LiveFields, desired: OpenObject, path: FieldPath): FieldPath[] {
  const present = value as OpenObject;
  const child = (name: string): LiveFields => ({
    value: Object.hasOwn(present, name) ? present[name] : undefined,
    owned: owned?.[`f:${name}`],
    others: others.map((set) => set?.[`f:${name}`]),
  });
  const named = Object.keys(desired).filter((name) => desired[name] !== undefined && desired[name] !== null);
  const found = named.flatMap((name) => changes(child(name), desired[name], [...path, name]));
  for (const step of Object.keys(owned ?? {})) {
    const name = step.slice(2);
    if (!step.startsWith('f:') || named.includes(name)) continue;
    const left = child(name);
    if (isRemoved(left) && !isDefault([...path, name], left.value)) found.push([...path, name]);
  }
  return found;
}

/** Whether a field that its manager leaves out goes: it exists, and nobody else has set it. */
function isRemoved({ value, others }: LiveFields): boolean {
  return value !== undefined && others.every((set) => set === undefined);
}

/** The fields that identify an element of a list whose elements have owners; undefined for a list that belongs to one manager as a whole. */
function keyNames(owned: FieldSet | undefined): readonly string[] | undefined {
  const step = Object.keys(owned ?? {}).find((each) => each.startsWith('k:'));
  return step === undefined ? undefined : Object.keys(JSON.parse(step.slice(2)) as object);
}

function elementChanges(
  { value, owned = {}, others }: LiveFields,
  desired: readonly unknown[],
  names: readonly string[],
  path: FieldPath,
): FieldPath[] {
  const present = byKey(value as readonly unknown[], names);
  const wanted = byKey(desired, names);
  const ownedByKey = setsByKey(owned, names);
  const othersByKey = others.map((set) => setsByKey(set ?? {}, names));
  const child = (key: string): LiveFields => ({
    value: present.get(key),
    owned: ownedByKey.get(key),
    others: othersByKey.map((sets) => sets.get(key)),
  });
  const label = (key: string): FieldPath => [...path, (JSON.parse(key) as unknown[]).join('/')];
  const found = [...wanted].flatMap(([key, element]) => changes(child(key), element, label(key)));
  for (const key of ownedByKey.keys()) if (!wanted.has(key) && isRemoved(child(key))) found.push(label(key));
  // Elements keep the order in which they are applied, and a list in another order is another list.
  const before = [...present.keys()].filter((key) => wanted.has(key));
  const after = [...wanted.keys()].filter((key) => present.has(key));
  if (before.join() !== after.join()) found.push(path);
  return found;
}

/** What the API server fills in for the key of an element. */
const KEY_DEFAULTS: Readonly<Record<string, unknown>> = { protocol: 'TCP' };

function keyOf(fields: OpenObject, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => fields[name] ?? KEY_DEFAULTS[name] ?? null));
}

function byKey(list: readonly unknown[], names: readonly string[]): Map<string, unknown> {
  return new Map(list.filter(isObject).map((element) => [keyOf(element, names), element]));
}

function setsByKey(set: FieldSet, names: readonly string[]): Map<string, FieldSet> {
  const steps = Object.entries(set).filter(([step]) => step.startsWith('k:'));
  return new Map(steps.map(([step, fields]) => [keyOf(JSON.parse(step.slice(2)) as OpenObject, names), fields]));
}

function sameValue(value: unknown, desired: unknown, path: FieldPath): boolean {
  const [parent = '', name = ''] = path.slice(-2);
  const written = isQuantity(parent, name) ? [value, desired].map(canonicalQuantity) : [value, desired];
  const [one, other] = written.map((each) => canonicalJson(each, name));
  return one === other;
}

/** What the API server fills in where nobody says anything, by the field and the one around it. Only fields that an operator may have set count. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  'spec.restartPolicy': 'Always',
  'spec.dnsPolicy': 'ClusterFirst',
  'spec.schedulerName': 'default-scheduler',
  'spec.terminationGracePeriodSeconds': 30,
  '*.terminationMessagePath': '/dev/termination-log',
  '*.terminationMessagePolicy': 'File',
  '*.protocol': 'TCP',
  '*.timeoutSeconds': 1,
  '*.periodSeconds': 10,
  '*.successThreshold': 1,
  '*.failureThreshold': 3,
  'httpGet.scheme': 'HTTP',
  'httpGet.path': '/',
  'fieldRef.apiVersion': 'v1',
  'resourceFieldRef.divisor': '0',
  '*.defaultMode': 420,
  '*.expirationSeconds': 3600,
  'hostPath.type': '',
  'spec.volumeMode': 'Filesystem',
};

function isDefault(path: FieldPath, value: unknown): boolean {
  const [parent = '', name = ''] = path.slice(-2);
  const known = [`${parent}.${name}`, `*.${name}`].find((key) => Object.hasOwn(DEFAULTS, key));
  return known !== undefined && DEFAULTS[known] === value;
}
