import { known, type ObjectReader } from './objects/object-reader.ts';
import type { Subject } from './rule.ts';

/** A Kubernetes object as it is in a cluster. */
export function subjectOf(object: ObjectReader): Subject {
  return { object, title: titleOf(object) };
}

/** `Deployment team-a/gateway`; the Pulumi name if Kubernetes will choose the name. */
export function titleOf(object: ObjectReader, fallback = '(unnamed)'): string {
  const word = (key: string): string => known(() => object.text('metadata', key)) ?? '';
  const place = word('namespace') === '' ? '' : `${word('namespace')}/`;
  return `${object.kind} ${place}${word('name') === '' ? fallback : word('name')}`;
}
