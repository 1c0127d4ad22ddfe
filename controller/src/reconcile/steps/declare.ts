import { definedOnly } from '../../../../packages/lib/values.ts';
import type { ApplicationStatus } from '../../../../packages/api/types.ts';
import { inventoryEntry, union, without } from '../inventory.ts';
import type { Outcome, State, World } from '../state.ts';
import { writeStatus } from '../write-status.ts';
import { report } from './report.ts';

/**
 * Writes down what is about to be made, so that nothing is ever made that the inventory does not name. A new stack has nothing
 * else to report yet, so it gets its whole status here, and no other write after its objects were made.
 */
export async function declare(state: State, world: World): Promise<Outcome> {
  const { status = {} } = state.stack;
  const before = status.inventory ?? [];
  const wanted = (state.rendered?.objects ?? []).map(inventoryEntry);
  state.draft.inventory = union(wanted, before);
  if (status.observedGeneration === undefined) {
    await report(state, world);
    return 'next';
  }
  const { claim = status.claim, defaults, inventory } = state.draft;
  // Only additions need to be written ahead; the order and what is gone can wait for the report.
  const known = without(wanted, before).length === 0;
  const declared = { claim, defaults, inventory: known ? status.inventory : inventory };
  await writeStatus(state, world, definedOnly({ ...status, ...declared, applications: withRollouts(state) }));
  if (claim !== undefined) state.draft.claim = claim;
  return 'next';
}

/**
 * The applications with the rollout strategy that was chosen for what is about to be applied. If only the report wrote it, a
 * rollout whose report fails would continue with the strategy of the one before, and end pods that should serve until the new
 * ones do.
 */
function withRollouts({ stack, rollouts }: State): Record<string, ApplicationStatus> | undefined {
  const before = stack.status?.applications;
  const chosen = [...rollouts.choices].filter(([name, { strategy }]) => before?.[name]?.rollout !== strategy);
  if (chosen.length === 0) return before;
  const news = chosen.map(([name, { strategy, reason }]): [string, ApplicationStatus] => [
    name,
    { ...before?.[name], rollout: strategy, rolloutReason: reason },
  ]);
  return { ...before, ...Object.fromEntries(news) };
}
