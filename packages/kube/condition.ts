import { fieldsOf } from '../lib/values.ts';
import type { Condition } from './conditions.ts';
import type { KubernetesObject } from './object.ts';

/** What an object's status says under a type of condition. */
export function condition(object: KubernetesObject, type: string): Condition | undefined {
  const { conditions } = fieldsOf(object['status']);
  return Array.isArray(conditions) ? (conditions as Condition[]).find((each) => each.type === type) : undefined;
}
