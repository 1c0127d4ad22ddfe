import { definedOnly } from '../../../../packages/lib/values.ts';
import type { Condition } from '../../../../packages/api/types.ts';
import { mergeConditions } from '../../../../packages/kube/conditions.ts';
import type { EventInput } from '../../../../packages/kube/events.ts';
import type { State, World } from '../state.ts';
import { summarize } from '../summary.ts';
import { writeStatus } from '../write-status.ts';
import { observe } from './observe.ts';

/** Writes what was found, if it is news. */
export async function report(state: State, world: World): Promise<void> {
  const observation = observe(state, world);
  const { generation } = state.stack.metadata;
  const before = state.stack.status ?? {};
  const conditions = mergeConditions(before.conditions ?? [], summarize(state, observation), {
    generation,
    time: world.now().toISOString(),
  });
  const { claim, defaults, inventory } = { ...before, ...state.draft };
  const status = { observedGeneration: generation, conditions, claim, defaults, inventory, ...observation };
  await writeStatus(state, world, definedOnly(status), news(before.conditions ?? [], conditions));
}

/** Which condition, when it becomes which, is worth an Event. */
const NEWS: readonly { type: string; status: Condition['status']; event: EventInput['type'] }[] = [
  { type: 'Accepted', status: 'False', event: 'Warning' },
  { type: 'GPUsAvailable', status: 'False', event: 'Warning' },
  { type: 'Stalled', status: 'True', event: 'Warning' },
  { type: 'Ready', status: 'True', event: 'Normal' },
];

export function news(before: readonly Condition[], after: readonly Condition[]): EventInput[] {
  const events = NEWS.flatMap(({ type, status, event }) => {
    const was = before.find((condition) => condition.type === type)?.status;
    const is = after.find((condition) => condition.type === type);
    if (is?.status !== status || was === status) return [];
    return [{ type: event, reason: is.reason, message: is.message }];
  });
  // One cause may show in several conditions; it is news once.
  return events.filter(({ message }, index) => events.findIndex((other) => other.message === message) === index);
}
