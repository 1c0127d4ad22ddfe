import { listAt } from '../lib/json.ts';
import { shortened } from '../lib/message.ts';
import { definedOnly } from '../lib/values.ts';
import type { KubernetesObject } from './object.ts';

/** One aspect of the object's state. */
export interface Condition {
  /** Name of the condition. */
  type: string;
  /** Whether it holds. */
  status: 'True' | 'False' | 'Unknown';
  /**
   * The generation of the spec that the condition describes.
   * @int64
   */
  observedGeneration?: number;
  /**
   * When the status last changed.
   * @dateTime
   */
  lastTransitionTime: string;
  /** One word for programs. */
  reason: string;
  /** One sentence for people. */
  message: string;
}

export type ConditionInput = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** What an object's status says under a type of condition. */
export function condition(object: KubernetesObject, type: string): Condition | undefined {
  return (listAt(object, 'status', 'conditions') as readonly Condition[]).find((each) => each.type === type);
}

/**
 * The conditions that hold now. A condition keeps its transition time for as long as its status stays the same, so that
 * writing the same state twice is the same write.
 */
export function mergeConditions(
  before: readonly Condition[],
  now: readonly ConditionInput[],
  at: { readonly generation?: number | undefined; readonly time: string },
): Condition[] {
  return now.map((input) => {
    const old = before.find(({ type }) => type === input.type);
    return definedOnly({
      type: input.type,
      status: input.status,
      observedGeneration: at.generation,
      lastTransitionTime: old?.status === input.status ? old.lastTransitionTime : at.time,
      reason: input.reason,
      // Messages should fit already; this holds for those that do not.
      message: shortened(input.message),
    });
  });
}
