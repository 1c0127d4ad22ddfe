import { liveDeployment, type LiveDeployment } from '../../../controller/src/reconcile/live-deployment.ts';
import { owningStack, ownerReferenceTo } from '../../../controller/src/reconcile/stack-view.ts';
import type { World } from '../../../controller/src/reconcile/state.ts';
import type { FrozenDefaults, InferenceStack } from '../../../packages/api/types.ts';
import type { OwnedObject } from '../../../packages/kube/apply/owned.ts';
import { controllerOf, objectKey, type KubernetesObject } from '../../../packages/kube/object.ts';
import { render } from '../../../packages/render/render.ts';
import { contextWith } from '../people/stacks.ts';

/** Whose objects they are: the stack's own, those of an earlier one of its name, or nobody's, as after some restores. */
export type Whose = 'own' | 'earlier' | 'nobody';

/** The objects of a stack, as an operator with these defaults made them. */
export function madeBy(defaults: FrozenDefaults, stack: InferenceStack, whose: Whose = 'own'): KubernetesObject[] {
  const owner = { ...ownerReferenceTo(stack), ...(whose === 'earlier' ? { uid: 'earlier' } : {}) };
  return render(stack, contextWith({ defaults })).objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, ...(whose === 'nobody' ? {} : { ownerReferences: [owner] }) },
  }));
}

/** What an operator sees of objects. */
export function seen(objects: readonly KubernetesObject[]): Pick<World, 'owned'> {
  const get = (kind: string, key: string): Partial<OwnedObject<LiveDeployment>> | undefined => {
    const object = objects.find((each) => each.kind === kind && objectKey(each.metadata) === key);
    return (
      object && {
        controller: controllerOf(object.metadata),
        owner: owningStack(object),
        details: liveDeployment(object),
      }
    );
  };
  return { owned: { get } } as unknown as Pick<World, 'owned'>;
}
