import { GATEWAY } from '../../../packages/api/names.ts';
import { appliedChanges, type FieldPath } from '../../../packages/kube/apply/applied-changes.ts';
import { canonicalJson, desiredFingerprint } from '../../../packages/kube/apply/fingerprint.ts';
import { condition } from '../../../packages/kube/conditions.ts';
import type { FieldSet, KubernetesObject } from '../../../packages/kube/object.ts';
import { objectAt, objectsAt, textAt, valueAt } from '../../../packages/lib/json.ts';
import { COMPONENT_LABEL } from '../../../packages/render/names.ts';
import { plainText } from '../contained/plain-text.ts';
import { objectId, type LiveObject, type LivePods, type Maker } from './live-objects.ts';
import type { StackAnswer } from './read-answer.ts';
import { reasonFor } from './reasons.ts';

/** What is kept of a stack while a version is asked about it. */
export interface JudgedStack extends Maker {
  /** What its operator has made for it, by kind and name. */
  readonly inventory: readonly string[];
  /** Whether the operator that serves it refuses it already. */
  readonly refused: boolean;
  /** Whether its operator has not yet looked at what its author wrote last, so part of a change is the author's. */
  readonly pending: boolean;
}

/** Pods of one component that an upgrade would replace or end. */
export interface ReplacedPods {
  /** The name of an application, or `gateway`. */
  readonly component: string;
  readonly pods: number;
  /** Why, in words that go on after "because": `its arguments change`. */
  readonly because: string;
}

/** What an upgrade would do to one stack. */
export type StackImpact =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly objects: readonly string[] }
  | { readonly kind: 'replaced'; readonly objects: readonly string[]; readonly pods: readonly ReplacedPods[] }
  /** The new version refuses it, and the present one does not: what runs would stay, and could not be changed any more. */
  | { readonly kind: 'refused'; readonly why: readonly string[] }
  | { readonly kind: 'refusedAlready' };

/** What is kept of a stack. */
export function judgedStack(stack: KubernetesObject): JudgedStack {
  const { metadata, status } = stack;
  const { name, namespace, uid, generation } = metadata;
  const accepted = condition(stack, 'Accepted');
  const seen = valueAt(status, 'observedGeneration');
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    inventory: objectsAt(status, 'inventory').map((entry) => `${textAt(entry, 'kind')}/${textAt(entry, 'name')}`),
    refused: accepted?.status === 'False',
    pending: generation !== undefined && seen !== generation,
  };
}

/** Compares what a version would make of a stack with what the cluster has. */
export function judgeStack(
  stack: JudgedStack,
  { objects, problems }: StackAnswer,
  live: ReadonlyMap<string, LiveObject>,
  unread: ReadonlySet<string>,
): StackImpact {
  if (problems.length > 0) {
    if (stack.refused) return { kind: 'refusedAlready' };
    return { kind: 'refused', why: problems.map(({ path, message }) => `${path} ${message}`.trim()) };
  }
  const changed: string[] = [];
  const pods: ReplacedPods[] = [];
  const wanted = new Set(objects.map(objectId));
  for (const object of objects) {
    const found = live.get(objectId(object));
    if (unread.has(object.kind) || (found !== undefined && found.fingerprint === desiredFingerprint(object))) continue;
    if (found?.pods !== undefined && hasOtherSelector(object, found.pods)) {
      return { kind: 'refused', why: [`${objectId(object)} cannot be applied: its selector would change`] };
    }
    changed.push(objectId(object));
    const because = found?.pods === undefined ? undefined : whyReplaced(object, found.pods);
    if (because !== undefined) pods.push({ component: componentOf(object), pods: found?.pods?.count ?? 0, because });
  }
  for (const id of stack.inventory) {
    const found = live.get(id);
    if (wanted.has(id) || found === undefined) continue;
    changed.push(id);
    if (found.pods !== undefined)
      pods.push({ component: id.slice(id.indexOf('/') + 1), pods: found.pods.count, because: 'it is no longer made' });
  }
  if (changed.length === 0) return { kind: 'unchanged' };
  // A Deployment without pods can change in every way, and nothing restarts.
  const replaced = pods.filter(({ pods: count }) => count > 0);
  return replaced.length === 0
    ? { kind: 'changed', objects: changed }
    : { kind: 'replaced', objects: changed, pods: replaced };
}

/** The API server refuses to change which pods a Deployment has. */
function hasOtherSelector(desired: KubernetesObject, { selector }: LivePods): boolean {
  const [before, after] = [JSON.parse(selector) as unknown, objectAt(desired, 'spec', 'selector')];
  return canonicalJson(before, '') !== canonicalJson(after, '');
}

/** Why applying a Deployment would replace its pods, if it would. */
function whyReplaced(desired: KubernetesObject, live: LivePods): string | undefined {
  const template = {
    value: JSON.parse(live.template) as unknown,
    owned: JSON.parse(live.owned) as FieldSet,
    others: live.others.map((set) => JSON.parse(set) as FieldSet),
  };
  const changes: FieldPath[] = appliedChanges(template, objectAt(desired, 'spec', 'template'));
  return changes.length === 0 ? undefined : reasonFor(changes);
}

function componentOf(object: KubernetesObject): string {
  const component = object.metadata.labels?.[COMPONENT_LABEL] ?? '';
  return component === GATEWAY ? GATEWAY : plainText(component.replace(/^application-/, ''), 63);
}
