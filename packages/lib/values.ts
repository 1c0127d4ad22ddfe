import { isObject, type OpenObject } from './json.ts';

/** Whether a value says nothing: absent, null, or an empty map, list or string. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) {
    for (const _ in value) return false;
    return true;
  }
  return false;
}

/** The fields that say something. */
export function present(fields: OpenObject): OpenObject {
  const result: OpenObject = {};
  for (const key in fields) {
    if (!isEmpty(fields[key])) result[key] = fields[key];
  }
  return result;
}

/** The same fields; those that may be undefined may be absent. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same object without undefined fields, which some readers treat differently from absent ones. */
export function definedOnly<T extends object>(object: T): Defined<T> {
  // A loop, since every rendering comes by here many times: by way of entries it took a fifth of its time.
  const result: OpenObject = {};
  for (const key of Object.keys(object)) {
    const value = (object as OpenObject)[key];
    if (value !== undefined) setOwn(result, key, value);
  }
  return result as Defined<T>;
}

/** Lays the upper value over the lower one: maps key by key at every depth, all else as a whole. Null says nothing. */
export function overlay(lower: unknown, upper: unknown): unknown {
  if (upper === undefined || upper === null) return lower;
  if (!isObject(lower) || !isObject(upper)) return upper;
  const result: OpenObject = { ...lower };
  for (const key of Object.keys(upper)) {
    const value = overlay(Object.hasOwn(lower, key) ? lower[key] : undefined, upper[key]);
    if (value !== undefined) setOwn(result, key, value);
  }
  return result;
}

/** Assigns `__proto__` like any other key, since keys come from users. */
export function setOwn(target: OpenObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** The value of a key that the map has itself: users call applications `constructor`, and every object has one. */
export function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Without nulls in maps, since a null means the same as leaving the field out. A value without nulls is not copied. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutNulls);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const given: OpenObject = value;
  const fields = Object.keys(given).map((key) => [key, withoutNulls(given[key])] as const);
  if (fields.every(([key, field]) => field === given[key] && field !== null && field !== undefined)) return given;
  const result: OpenObject = {};
  for (const [key, field] of fields) if (field !== null && field !== undefined) setOwn(result, key, field);
  return result;
}
