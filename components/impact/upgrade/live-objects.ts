import { FIELD_MANAGER } from '../../../packages/api/constants.ts';
import { OWNED_KINDS } from '../../../packages/api/kinds.ts';
import { MANAGED_BY_OPERATOR } from '../../../packages/api/labels.ts';
import { isForbidden, isNotFound } from '../../../packages/kube/client/api-error.ts';
import { appliedFingerprint } from '../../../packages/kube/apply/fingerprint.ts';
import { labelSelector } from '../../../packages/kube/label-selector.ts';
import {
  controllerOf,
  objectKey,
  type FieldSet,
  type KubernetesObject,
  type ObjectMeta,
  type ResourceType,
} from '../../../packages/kube/object.ts';
import { objectAt, valueAt } from '../../../packages/lib/json.ts';
import { INSTANCE_LABEL } from '../../../packages/render/names.ts';
import type { ReadClient } from './question.ts';

/** What is kept of a live object that an operator has made. */
export interface LiveObject {
  /** Of the fields that an operator has applied. */
  readonly fingerprint: string | undefined;
  /** Of a Deployment only. */
  readonly pods?: LivePods;
}

/** The pods of a Deployment, and how they are made. JSON, since it is rarely looked at, and a fleet has thousands. */
export interface LivePods {
  readonly count: number;
  readonly selector: string;
  readonly template: string;
  /** Who has set which field of the template: the operator, and everybody else. */
  readonly owned: string;
  readonly others: readonly string[];
}

/** Which stack objects were made for. */
export type Maker = Pick<ObjectMeta, 'uid' | 'namespace' | 'name'>;

/** What operators have made. */
export interface LiveObjects {
  /** What was made for a stack, by kind and name. */
  of(stack: Maker): ReadonlyMap<string, LiveObject>;
  /** Kinds that may not be read. */
  readonly unread: ReadonlySet<string>;
}

/** How an object is found among those of a stack. */
export function objectId({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string {
  return `${kind}/${metadata.name}`;
}

const SELECTOR = labelSelector(MANAGED_BY_OPERATOR);

/** Few round trips; pages are read as they arrive, and not held. */
const PAGE = 250;

/** Reads everything that operators have made. Of each object it keeps what says whether it would change. */
export async function readLiveObjects(client: ReadClient): Promise<LiveObjects> {
  const byStack = new Map<string, Map<string, LiveObject>>();
  const unread = new Set<string>();
  const texts = new Map<string, string>();
  const keep = (object: KubernetesObject): void => {
    const { namespace, labels } = object.metadata;
    // What outlives its stack has no controller.
    const maker = controllerOf(object.metadata)?.uid ?? objectKey({ namespace, name: labels?.[INSTANCE_LABEL] ?? '' });
    const objects = byStack.get(maker) ?? new Map<string, LiveObject>();
    byStack.set(maker, objects.set(objectId(object), keptOf(object, texts)));
  };
  const types = new Map(OWNED_KINDS.map(({ type }) => [type.kind, type]));
  // One kind after the other: what arrives and is thrown away is most of the memory.
  for (const type of types.values()) if (!(await readEach(client, type, keep))) unread.add(type.kind);
  const of = ({ uid = '', ...stack }: Maker): ReadonlyMap<string, LiveObject> =>
    new Map([...(byStack.get(objectKey(stack)) ?? []), ...(byStack.get(uid) ?? [])]);
  return { of, unread };
}

/** Whether the objects of a kind could be read. A cluster without the kind has none of them. */
async function readEach(
  client: ReadClient,
  type: ResourceType,
  keep: (object: KubernetesObject) => void,
): Promise<boolean> {
  try {
    let next: string | undefined;
    do {
      const page = await client.listEach(type, { labelSelector: SELECTOR, limit: PAGE, continue: next }, keep);
      next = page.continue;
    } while (next !== undefined && next !== '');
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isForbidden(error)) return false;
    throw error;
  }
}

function keptOf(object: KubernetesObject, texts: Map<string, string>): LiveObject {
  // Owner references are not rendered: who a stack is does not change with a version.
  delete object.metadata.ownerReferences;
  const fingerprint = appliedFingerprint(object, FIELD_MANAGER);
  return object.kind === 'Deployment' ? { fingerprint, pods: podsOf(object, texts) } : { fingerprint };
}

function podsOf(object: KubernetesObject, texts: Map<string, string>): LivePods {
  // Most Deployments have the same fields set, so each text is kept once.
  const once = (value: unknown): string => {
    const text = JSON.stringify(value ?? {});
    const known = texts.get(text) ?? text;
    texts.set(known, known);
    return known;
  };
  const sets = (object.metadata.managedFields ?? []).map(({ manager, operation, subresource, fieldsV1 }) => ({
    ours: manager === FIELD_MANAGER && operation === 'Apply' && (subresource ?? '') === '',
    set: valueAt(fieldsV1, 'f:spec', 'f:template') as FieldSet | undefined,
  }));
  const count = valueAt(object, 'status', 'replicas');
  return {
    count: typeof count === 'number' ? count : 0,
    selector: once(objectAt(object, 'spec', 'selector')),
    template: JSON.stringify(objectAt(object, 'spec', 'template')),
    owned: once(sets.find(({ ours }) => ours)?.set),
    others: sets.flatMap(({ ours, set }) => (ours || set === undefined ? [] : [once(set)])),
  };
}
