/*
 * The one way to read values of unknown shape, whoever wrote them: what is missing, or of another type, reads as nothing. A
 * path leads through maps only; without one the value itself is meant.
 */

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** A map with unknown content. */
export type OpenObject = Record<string, unknown>;

type Path = readonly string[];

export function isObject(value: unknown): value is OpenObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a path of fields; undefined where the path ends. */
export function valueAt(value: unknown, ...path: Path): unknown {
  let found = value;
  for (const key of path) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

/** The map under a path; an empty one where there is none. */
export function objectAt(value: Json | undefined, ...path: Path): JsonObject;
export function objectAt(value: unknown, ...path: Path): OpenObject;
export function objectAt(value: unknown, ...path: Path): OpenObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

/** The list under a path; an empty one where there is none. */
export function listAt(value: Json | undefined, ...path: Path): readonly Json[];
export function listAt(value: unknown, ...path: Path): readonly unknown[];
export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The maps of the list under a path. */
export function objectsAt(value: Json | undefined, ...path: Path): JsonObject[];
export function objectsAt(value: unknown, ...path: Path): OpenObject[];
export function objectsAt(value: unknown, ...path: Path): OpenObject[] {
  return listAt(value, ...path).filter(isObject);
}

/** The text under a path; an empty one where there is none. */
export function textAt(value: unknown, ...path: Path): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** A value as text; an empty one for maps and lists, which may have a `toString` of their own that is not a function. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}
