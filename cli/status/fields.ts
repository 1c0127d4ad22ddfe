import { condition } from '../../packages/kube/conditions.ts';
import { describeObject, type KubernetesObject } from '../../packages/kube/object.ts';

/** A sentence for every object on which one of these conditions does not hold. */
export function unmet(objects: readonly KubernetesObject[], types: readonly string[]): readonly string[] {
  return objects.flatMap((object) => {
    const found = types.map((type) => ({ type, state: condition(object, type) }));
    return found
      .filter(({ state }) => state?.status !== 'True')
      .map(({ type, state }) => {
        const what = state === undefined ? 'not reported yet' : `${state.reason}: ${state.message}`;
        return `${describeObject(object)}: ${type}: ${what}`;
      });
  });
}
