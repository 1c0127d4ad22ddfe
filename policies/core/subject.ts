import { known, ObjectReader } from './object-reader.ts';
import type { Subject } from './rule.ts';

/** A Kubernetes object as it is in a cluster. */
export function subjectOf(object: ObjectReader): Subject {
  return { object, title: titleOf(object) };
}

/** A resource of a Pulumi program, if it is a Kubernetes object. */
export function subjectOfResource(resource: {
  readonly type: string;
  readonly urn: string;
  readonly name: string;
  readonly props: unknown;
  readonly protect: boolean;
}): Subject | undefined {
  const { type, urn, protect } = resource;
  if (!type.startsWith('kubernetes:')) return undefined;
  const object = new ObjectReader(resource.props);
  const kind = known(() => object.text('kind'));
  if (kind === undefined) return undefined;
  const isPatch = type.endsWith(`:${kind}Patch`);
  return { object, title: titleOf(object, resource.name), urn, protect, ...(isPatch ? { isPatch } : {}) };
}

/** `Deployment team-a/gateway`; the Pulumi name where Kubernetes chooses the name later. */
function titleOf(object: ObjectReader, fallback = '(unnamed)'): string {
  const word = (key: string): string => known(() => object.text('metadata', key)) ?? '';
  const place = word('namespace') === '' ? '' : `${word('namespace')}/`;
  return `${object.kind} ${place}${word('name') === '' ? fallback : word('name')}`;
}
