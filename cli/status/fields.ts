import { condition } from '../../packages/kube/condition.ts';
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

/** The value under a path of fields; undefined where the path ends. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (each, field) => (typeof each === 'object' && each !== null ? (each as Record<string, unknown>)[field] : undefined),
    value,
  );
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
