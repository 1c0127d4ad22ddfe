import { isObject } from '../../packages/lib/json.ts';

/** One place at which two values differ. */
export interface Difference {
  readonly path: string;
  readonly how: 'gone' | 'new' | 'changed';
}

/**
 * Where two values of JSON differ. Items of a list are known by their name; lists of other things are compared as sets, since most lists
 * of Kubernetes are.
 */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (isObject(before) && isObject(after)) return ofMaps(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, how: 'changed' }];
}

function ofMaps(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: string,
): Difference[] {
  const inside = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const gone = Object.keys(before).filter((key) => after[key] === undefined && before[key] !== undefined);
  const fresh = Object.keys(after).filter((key) => before[key] === undefined && after[key] !== undefined);
  const both = Object.keys(before).filter((key) => before[key] !== undefined && after[key] !== undefined);
  return [
    ...gone.map((key): Difference => ({ path: inside(key), how: 'gone' })),
    ...both.flatMap((key) => differences(before[key], after[key], inside(key))),
    ...fresh.map((key): Difference => ({ path: inside(key), how: 'new' })),
  ];
}

function ofLists(before: readonly unknown[], after: readonly unknown[], path: string): Difference[] {
  const [was, is] = [byName(before), byName(after)];
  if (was !== undefined && is !== undefined) {
    const named = ofMaps(was, is, path);
    const order = Object.keys(was).filter((name) => is[name] !== undefined);
    const later = Object.keys(is).filter((name) => was[name] !== undefined);
    // Init containers run one after the other, and of two variables of one name the later one counts.
    return order.join() === later.join() ? named : [...named, { path, how: 'changed' }];
  }
  const [left, right] = [texts(before), texts(after)];
  const gone = left.some((text) => !right.includes(text));
  const fresh = right.some((text) => !left.includes(text));
  const found: Difference[] = [];
  if (gone) found.push({ path: `${path}[]`, how: 'gone' });
  if (fresh) found.push({ path: `${path}[]`, how: 'new' });
  if (!gone && !fresh && left.join() !== right.join()) found.push({ path: `${path}[]`, how: 'changed' });
  return found;
}

function texts(list: readonly unknown[]): string[] {
  return list.map((item) => JSON.stringify(item));
}

/** The items by their names; undefined unless each has one of its own. */
function byName(list: readonly unknown[]): Record<string, unknown> | undefined {
  const named = list.map((item) => (isObject(item) && typeof item['name'] === 'string' ? [item['name'], item] : []));
  const entries = named.filter((entry) => entry.length > 0) as [string, unknown][];
  return entries.length === list.length && new Set(entries.map(([name]) => name)).size === list.length
    ? Object.fromEntries(entries)
    : undefined;
}
