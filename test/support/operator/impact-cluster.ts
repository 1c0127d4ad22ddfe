import { STACK_TYPES } from '../../../packages/api/kinds.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';
import { ApiError } from '../../../packages/kube/client/api-error.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import type { ReadClient } from '../../../components/impact/upgrade/question.ts';
import { render } from '../../../packages/render/render.ts';
import { contextWith } from '../people/stacks.ts';
import { inventoryEntry } from '../../../controller/src/reconcile/inventory.ts';
import { asStored } from './as-stored.ts';

/** A stack that has been served for a while, and what its operator has made for it. */
export function served(stack: InferenceStack, pods = 1): readonly KubernetesObject[] {
  const uid = `uid-of-${stack.metadata.name}`;
  const metadata = { ...stack.metadata, uid, generation: 1 };
  const { objects } = render(stack, contextWith());
  const status = { observedGeneration: 1, inventory: objects.map(inventoryEntry), ...stack.status };
  const live = { ...stack, metadata, status } as unknown as KubernetesObject;
  return [live, ...objects.map((object) => asStored(object, live as unknown as InferenceStack, pods))];
}

/** A cluster that has these objects, and whose reader may not list some kinds. */
export function clusterWith(objects: readonly KubernetesObject[], forbidden: readonly string[] = []): ReadClient {
  const of = ({ kind }: ResourceType): KubernetesObject[] => {
    if (forbidden.includes(kind)) throw new ApiError(`list ${kind}`, 403, { reason: 'Forbidden' });
    if (kind === STACK_TYPES[1]?.kind) throw new ApiError(`list ${kind}`, 404, {});
    return structuredClone(objects.filter((object) => object.kind === kind));
  };
  return {
    list: (type) => Promise.resolve().then(() => ({ metadata: { resourceVersion: '1' }, items: of(type) })),
    listEach: (type, _options, onItem) =>
      Promise.resolve().then(() => {
        of(type).forEach(onItem);
        return { resourceVersion: '1' };
      }),
    raw: (path) =>
      path.includes('openshift') ? Promise.reject(new ApiError(`GET ${path}`, 404, {})) : Promise.resolve({}),
  };
}
