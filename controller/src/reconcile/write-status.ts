import { isDeepStrictEqual } from 'node:util';
import type { InferenceStack, InferenceStackStatus } from '../../../packages/api/types.ts';
import type { EventInput } from '../../../packages/kube/events.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { stackKeyOf } from './stack-view.ts';
import type { State, World } from './state.ts';

/**
 * Writes the status if it differs. The write fails with a conflict if the stack has changed since it was read: a claim
 * that was made on an old view must not stand. Events are recorded right after the write: if this try failed later, the next
 * one would find nothing new.
 */
export async function writeStatus(
  state: State,
  world: World,
  status: InferenceStackStatus,
  news: readonly EventInput[] = [],
): Promise<void> {
  // As JSON carries it: fields that are undefined are not there.
  const wanted = JSON.parse(JSON.stringify({ ...status, operatorVersion: servedBy(status) })) as InferenceStackStatus;
  const { resourceVersion } = state.stack.metadata;
  const key = stackKeyOf(state.stack);
  if (isDeepStrictEqual(wanted, state.stack.status ?? {})) return;
  if (isDeepStrictEqual({ wanted, stored: state.stack.status }, world.prunedStatuses.get(key))) return;
  const answer = await world.client.jsonPatch(
    state.type,
    state.stack.metadata,
    [
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: '/status', value: wanted },
    ],
    'status',
  );
  state.stack = answer as unknown as InferenceStack;
  world.remember(state.stack);
  // A CRD that is older than this operator drops the fields that it does not know. Without this the operator would write for ever.
  if (isDeepStrictEqual(wanted, state.stack.status)) world.prunedStatuses.delete(key);
  else world.prunedStatuses.set(key, { wanted, stored: state.stack.status });
  state.events.push(...news);
  recordEvents(state, world);
}

export function recordEvents({ stack, events }: State, world: World): void {
  const about = { ...stack } as unknown as KubernetesObject;
  for (const event of events.splice(0)) world.events.record(about, event);
}

/** The version that serves the stack, for people: an operator that has released its claim serves nobody. */
function servedBy({ claim }: InferenceStackStatus): string | undefined {
  return claim?.released === true ? undefined : claim?.version;
}
