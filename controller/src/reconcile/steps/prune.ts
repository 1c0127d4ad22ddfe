import type { InventoryEntry } from '../../../../packages/api/types.ts';
import { names, sentences } from '../../../../packages/lib/message.ts';
import { ApiError, isRefusal } from '../../../../packages/kube/client/api-error.ts';
import { inventoryEntry, without } from '../inventory.ts';
import { neededBy } from '../needed.ts';
import { refusal, serverFailure } from '../refusal.ts';
import { setCondition, type Outcome, type State, type World } from '../state.ts';

/** Why an object that is no longer wanted stays: the end of the sentence about it. */
const REMAINS = {
  ReplacementRefused: 'until what takes its place can be applied',
  DeletionRefused: 'because the API server refuses to delete it',
  KindUnknown: 'because this operator does not know its kind',
} as const;

/** `Unseen`: the API server does not serve the kind just now, so there is nothing to say about the object. */
type Remains = keyof typeof REMAINS | 'Unseen';

/** Deletes what the inventory names and the stack no longer wants, unless it is not ours, or still needed. */
export async function prune(state: State, world: World): Promise<Outcome> {
  const objects = state.rendered?.objects ?? [];
  const wanted = objects.map(inventoryEntry);
  const isNeeded = neededBy(state.unapplied, objects);
  const remaining: { entry: InventoryEntry; why: Remains }[] = [];
  for (const entry of without(state.draft.inventory ?? [], wanted)) {
    const why = await pruneOne(entry, isNeeded, state, world);
    if (why !== undefined) remaining.push({ entry, why });
  }
  // What stays is named in the inventory until it can go.
  state.draft.inventory = [...wanted, ...remaining.map(({ entry }) => entry)];
  const groups = Map.groupBy(remaining, ({ why }) => why);
  const reasons = [...groups.keys()].filter((why) => why !== 'Unseen');
  const [reason] = reasons;
  if (reason === undefined) return 'next';
  const messages = reasons.map((why) => describe(why, groups.get(why)?.map(({ entry }) => entry) ?? []));
  setCondition(state, 'Pruned', 'False', reason, sentences(messages));
  return 'next';
}

/** Why the object stays; nothing when it has gone, or was never the stack's. */
async function pruneOne(
  entry: InventoryEntry,
  isNeeded: ReturnType<typeof neededBy>,
  state: State,
  { owned, applier }: World,
): Promise<Remains | undefined> {
  // What cannot be seen cannot be judged. Another version of the operator may also have made what this one does not know.
  if (owned.isUnanswered(entry.kind) || owned.isAbsent(entry.kind)) return 'Unseen';
  if (!owned.known(entry.kind, entry.apiVersion)) return 'KindUnknown';
  const { namespace, uid = '' } = state.stack.metadata;
  const metadata = { namespace, name: entry.name };
  try {
    const outcome = await applier.deleteControlled(owned.typeOf(entry), metadata, uid, isNeeded);
    return outcome === 'spared' ? 'ReplacementRefused' : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const object = { kind: entry.kind, metadata };
    if (!isRefusal(error)) {
      state.interruption = serverFailure('delete', object, error);
      throw error;
    }
    state.failures.push(refusal(object, error));
    return 'DeletionRefused';
  }
}

function describe(why: keyof typeof REMAINS, entries: readonly InventoryEntry[]): string {
  // Objects that run pods come first.
  const sorted = entries.toSorted((one, other) => Number(runsPods(other)) - Number(runsPods(one)));
  const what = names(sorted.map(({ kind, name }) => `${kind} ${name}`));
  return entries.length === 1
    ? `${what} is no longer wanted, and stays ${REMAINS[why]}.`
    : `${what} are no longer wanted, and each stays ${REMAINS[why]}.`;
}

function runsPods({ kind }: InventoryEntry): boolean {
  return kind === 'Deployment';
}
