import { isObject, type OpenObject } from '../../../packages/lib/json.ts';

/** Stands for a value that a preview does not have yet, because another resource has to exist first. */
export const UNKNOWN: unique symbol = Symbol('known only after the update');

/** Marks a map that may have more fields than the known ones: an absent field is unknown. The value says why. */
export const PARTIAL: unique symbol = Symbol('some fields of a map');

/** Thrown when a rule reads an unknown value. What depends on it cannot be judged yet, and that is reported. */
export class UnknownValue extends Error {
  override readonly name = 'UnknownValue';

  /** For a value whose path is enough to name it. */
  static at(path: string): UnknownValue {
    return new UnknownValue(`${path} is known only after the update`);
  }
}

/**
 * Reads a Kubernetes object of a program or a cluster, one field at a time. It touches no other fields: a CRD has
 * thousands, and the objects that Pulumi hands to policies are slow and throw where there is no value yet.
 */
export class ObjectReader {
  readonly path: string;
  readonly #value: unknown;

  constructor(value: unknown, path = '') {
    this.#value = value;
    this.path = path;
  }

  get apiVersion(): string {
    return this.text('apiVersion') ?? '';
  }

  get kind(): string {
    return this.text('kind') ?? '';
  }

  /** The group of the object's API; empty for the core group. */
  get group(): string {
    const [group = '', version] = this.apiVersion.split('/');
    return version === undefined ? '' : group;
  }

  /** The part below the given keys, which may be absent. */
  child(...keys: readonly string[]): ObjectReader {
    return new ObjectReader(this.value(...keys), joinPath(this.path, keys));
  }

  has(...keys: readonly string[]): boolean {
    const value = this.value(...keys);
    return value !== undefined && value !== null;
  }

  text(...keys: readonly string[]): string | undefined {
    const value = this.value(...keys);
    return typeof value === 'string' ? value : undefined;
  }

  number(...keys: readonly string[]): number | undefined {
    const value = this.value(...keys);
    return typeof value === 'number' ? value : undefined;
  }

  flag(...keys: readonly string[]): boolean | undefined {
    const value = this.value(...keys);
    return typeof value === 'boolean' ? value : undefined;
  }

  list(...keys: readonly string[]): ObjectReader[] {
    const value = this.value(...keys);
    if (!Array.isArray(value)) return [];
    const path = joinPath(this.path, keys);
    return Array.from({ length: value.length }, (_, index) => new ObjectReader(at(value, index), `${path}[${index}]`));
  }

  strings(...keys: readonly string[]): string[] {
    return this.list(...keys).flatMap((item) => item.text() ?? []);
  }

  entries(...keys: readonly string[]): [string, ObjectReader][] {
    const value = this.value(...keys);
    if (!isObject(value)) return [];
    return Object.keys(value).map((key) => [
      key,
      new ObjectReader(at(value, key), joinPath(this.path, [...keys, key])),
    ]);
  }

  /** The value with all its parts. Throws `UnknownValue` when any of them is unknown. */
  plain(...keys: readonly string[]): unknown {
    const value = this.value(...keys);
    if (Array.isArray(value)) return this.list(...keys).map((item) => item.plain());
    if (!isObject(value)) return value;
    return Object.fromEntries(this.entries(...keys).map(([key, part]) => [key, part.plain()]));
  }

  /** The value itself; its parts are not read. Throws `UnknownValue` when it, or what holds it, is unknown. */
  value(...keys: readonly string[]): unknown {
    let value = this.#value;
    const walked: string[] = [];
    for (const key of keys) {
      if (value === UNKNOWN) throw UnknownValue.at(joinPath(this.path, walked));
      value = field(value, key);
      walked.push(key);
    }
    if (value === UNKNOWN) throw UnknownValue.at(joinPath(this.path, walked));
    return value;
  }
}

/** Copies a value with all its parts, for code that handles `UNKNOWN` itself. */
export function reveal(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => reveal(at(value, index)));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, reveal(at(value, key))]));
}

/** Copies a map one level deep; of each field it only checks whether it is known. */
export function shallow(value: unknown): OpenObject {
  return isObject(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, at(value, key)])) : {};
}

/** A field of a map; unknown if it is absent from a partial map. */
function field(holder: unknown, key: string): unknown {
  if (!isObject(holder)) return undefined;
  if (Object.hasOwn(holder, key)) return at(holder, key);
  const reason: unknown = Reflect.get(holder, PARTIAL);
  if (typeof reason === 'string') throw new UnknownValue(reason);
  return undefined;
}

/** One step down; Pulumi's objects throw where the value is not known. */
function at(holder: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(holder, key);
  } catch {
    return UNKNOWN;
  }
}

/** The path of a key below another path: `spec.applications["a.b"]`. */
export function joinPath(path: string, keys: readonly string[]): string {
  return keys.reduce((joined, key) => `${joined}${segment(key, joined === '')}`, path);
}

function segment(key: string, isFirst: boolean): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `["${key}"]`;
  return isFirst ? key : `.${key}`;
}

/** The result of reading; undefined when it needs a value that is not known yet. */
export function known<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownValue) return undefined;
    throw error;
  }
}
