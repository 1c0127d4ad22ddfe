import { boundProblems, excessOf } from '../../../packages/api/bounds.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';
import { STACK_KINDS } from '../../../packages/api/constants.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { INSTANCE_LABEL } from '../../../packages/render/names.ts';
import { omittedFrom } from '../../../packages/kube/client/bounded-json.ts';
import { controllerOf, objectKey, type KubernetesObject, type OwnerReference } from '../../../packages/kube/object.ts';
import type { Versioned } from '../../../packages/kube/watch/store.ts';

/** A stack as the store keeps it: without what only the API server needs. */
export interface StoredStack extends Versioned {
  readonly stack: InferenceStack;
  /** Why its spec is too large to be served. Such a spec is not kept, since anybody may write a thousand of them. */
  readonly excess: readonly Problem[];
  /** Whether serving it means writing a lot. */
  readonly heavy: boolean;
}

export function keepStack(object: KubernetesObject): StoredStack {
  const stack = object as unknown as InferenceStack & KubernetesObject;
  delete stack.metadata.managedFields;
  const omitted = omittedFrom(stack).find(({ path }) => path === 'spec');
  const { excess, heavy } =
    omitted === undefined ? boundProblems(stack.spec) : { excess: excessOf(omitted), heavy: false };
  if (excess.length > 0) stack.spec = {};
  return {
    resourceVersion: Number(stack.metadata.resourceVersion),
    stack,
    excess,
    heavy: heavy && excess.length === 0,
  };
}

/** What the queue holds: `Kind/namespace/name`, since two kinds may have stacks of one name. */
export function stackKey(kind: string, stack: string): string {
  return `${kind}/${stack}`;
}

export function stackKeyOf({ kind, metadata }: InferenceStack): string {
  return stackKey(kind, objectKey(metadata));
}

export function splitStackKey(key: string): { kind: string; stack: string } {
  const slash = key.indexOf('/');
  return { kind: key.slice(0, slash), stack: key.slice(slash + 1) };
}

/** Whether a key names the kind of its stack, and not only its namespace and name. */
export function namesKind(key: string): boolean {
  return key.split('/').length === 3;
}

/** The namespace in a key. */
export function namespaceOf(key: string): string {
  return key.split('/', 2)[1] ?? '';
}

/**
 * The key of the stack that controls an object. An object that outlives its stack names it by a label, which has no kind: the
 * key is then only `namespace/name`.
 */
export function owningStack({ metadata }: KubernetesObject): string | undefined {
  const { namespace, labels } = metadata;
  const controller = controllerOf(metadata);
  if (controller !== undefined) {
    const { kind, name } = controller;
    return STACK_KINDS.includes(kind) ? stackKey(kind, objectKey({ namespace, name })) : undefined;
  }
  const instance = labels?.[INSTANCE_LABEL];
  return instance === undefined ? undefined : objectKey({ namespace, name: instance });
}

export function ownerReferenceTo(stack: InferenceStack): OwnerReference {
  return {
    apiVersion: stack.apiVersion,
    kind: stack.kind,
    name: stack.metadata.name,
    uid: stack.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
