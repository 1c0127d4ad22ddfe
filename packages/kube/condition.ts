import { listAt } from '../lib/json.ts';
import type { Condition } from './conditions.ts';
import type { KubernetesObject } from './object.ts';

/** What an object's status says under a type of condition. */
export function condition(object: KubernetesObject, type: string): Condition | undefined {
  return (listAt(object, 'status', 'conditions') as readonly Condition[]).find((each) => each.type === type);
}
