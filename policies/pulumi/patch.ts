import { isObject, type OpenObject } from '../../packages/lib/json.ts';
import { ownValue, setOwn } from '../../packages/lib/values.ts';
import type { Facts } from '../knowledge/facts.ts';
import { known, ObjectReader, PARTIAL, reveal, UNKNOWN } from '../knowledge/objects/object-reader.ts';
import { LEFT_OUT, type Subject } from '../knowledge/rule.ts';

/** Lists of maps that server-side apply merges by the names of their items. */
const NAMED_LISTS: readonly string[] = [
  'containers',
  'initContainers',
  'ephemeralContainers',
  'volumes',
  'matchConditions',
  'variables',
];

/** Lists that server-side apply merges as sets. It replaces every other list that rules look at. */
const SETS: readonly string[] = ['validationActions'];

/**
 * The object as it will be once the program has patched it: that of the cluster, with the fields of the patch over it. A
 * patch by itself names neither the role that it gives nor the package that it moves, so rules would pass it over. Where
 * the cluster does not show the object, what the patch leaves out is unknown.
 */
export function patched(subject: Subject, facts: Facts): Subject {
  const { patch } = subject;
  if (patch === undefined) return subject;
  const changes = reveal(patch.value());
  const live = liveOf(patch, facts);
  if (live === undefined) return { ...subject, object: new ObjectReader(partial(changes)), isPartial: true };
  return { ...subject, object: new ObjectReader(applied(live.plain(), changes)) };
}

function liveOf(patch: ObjectReader, { cluster }: Facts): ObjectReader | undefined {
  const objects = [...(cluster?.extensions ?? []), ...(cluster?.definitions ?? []), ...(cluster?.patched ?? [])];
  const key = known(() => identityOf(patch));
  return objects.find((object) => identityOf(object) === key);
}

/** The namespace of objects that name none. */
const DEFAULT = 'default';

/** Identifies an object in a cluster, independent of its API version. */
export function identityOf(object: ObjectReader): string {
  const [namespace = '', name = ''] = ['namespace', 'name'].map((field) => object.text('metadata', field));
  return JSON.stringify([object.group, object.kind, namespace === DEFAULT ? '' : namespace, name]);
}

function applied(live: unknown, patch: unknown, field = ''): unknown {
  if (patch === undefined || patch === null) return live;
  if (Array.isArray(live) && Array.isArray(patch)) return appliedList(live, patch, field);
  if (!isObject(live) || !isObject(patch)) return patch;
  const result: OpenObject = { ...live };
  for (const key of Object.keys(patch)) setOwn(result, key, applied(ownValue(live, key), patch[key], key));
  return result;
}

function appliedList(live: readonly unknown[], patch: readonly unknown[], field: string): unknown {
  if (SETS.includes(field)) return [...new Set([...live, ...patch])];
  if (!NAMED_LISTS.includes(field)) return patch;
  const changed = live.map((item) =>
    applied(
      item,
      patch.find((other) => nameOf(other) !== undefined && nameOf(other) === nameOf(item)),
    ),
  );
  const names = live.map(nameOf);
  return [...changed, ...patch.filter((item) => nameOf(item) === undefined || !names.includes(nameOf(item)))];
}

function nameOf(item: unknown): unknown {
  return isObject(item) ? item['name'] : undefined;
}

/** A patch as a partial object. Lists that the patch replaces are known completely. */
function partial(value: unknown, field = ''): unknown {
  // A patch adds to a set, whose other items are not known.
  if (SETS.includes(field)) return UNKNOWN;
  if (Array.isArray(value)) return NAMED_LISTS.includes(field) ? value.map((item) => partial(item)) : value;
  if (!isObject(value)) return value;
  const fields = Object.keys(value).map((key) => [key, partial(value[key], key)] as const);
  // A patch says completely where its object is.
  const place = field === 'metadata' ? { name: undefined, namespace: undefined } : {};
  return Object.assign({ ...place, ...Object.fromEntries(fields) }, { [PARTIAL]: LEFT_OUT });
}
