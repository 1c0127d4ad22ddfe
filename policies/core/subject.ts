import { isRecord, ObjectReader, UNKNOWN } from './object-reader.ts';
import type { Subject } from './rule.ts';

/** A Kubernetes object as it is in a cluster. */
export function subjectOf(object: ObjectReader): Subject {
  return { object, title: titleOf(object.value()) };
}

/** A resource of a Pulumi program, if it is a Kubernetes object. */
export function subjectOfResource(resource: {
  readonly type: string;
  readonly urn: string;
  readonly name: string;
  readonly props: unknown;
  readonly protect: boolean;
}): Subject | undefined {
  const value = reveal(resource.props);
  if (!resource.type.startsWith('kubernetes:') || !isRecord(value) || typeof value.kind !== 'string') return undefined;
  const { urn, protect } = resource;
  return { object: new ObjectReader(value), title: titleOf(value, resource.name), urn, protect };
}

/**
 * Copies what Pulumi hands to policies, whose objects throw on access to a value that a preview does not know,
 * so that one unknown field does not keep a rule from judging the rest.
 */
export function reveal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((_, index) => revealKey(value, index));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, revealKey(value, key)]));
}

function revealKey<K extends PropertyKey>(holder: { readonly [key in K]: unknown }, key: K): unknown {
  let value: unknown;
  try {
    value = holder[key];
  } catch {
    return UNKNOWN;
  }
  return reveal(value);
}

/** `Deployment team-a/gateway`; the Pulumi name where Kubernetes chooses the name later. */
function titleOf(value: unknown, fallback = '(unnamed)'): string {
  const { kind, metadata } = isRecord(value) ? value : {};
  const { name, namespace } = isRecord(metadata) ? metadata : {};
  const place = typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : '';
  return `${String(kind)} ${place}${typeof name === 'string' && name !== '' ? name : fallback}`;
}
