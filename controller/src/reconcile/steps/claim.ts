import { OPERATOR_VERSION_LABEL } from '../../../../packages/api/constants.ts';
import { decideOwnership } from '../../../../packages/api/operator-version.ts';
import type { Claim } from '../../../../packages/api/types.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { isForbidden } from '../../../../packages/kube/client/api-error.ts';
import { selects } from '../../../../packages/kube/label-selector.ts';
import { decideClaim, leaseOf } from '../claim.ts';
import { lookAgainAfter, setCondition, type Outcome, type State, type World } from '../state.ts';
import { writeStatus } from '../write-status.ts';

/** How soon to look again at the Lease of an operator that holds the stack and does not answer. */
const WAIT_MS = 2_000;

/** Makes sure that this operator, and no other, acts on the stack. */
export async function claim(state: State, world: World): Promise<Outcome> {
  const { self } = world;
  const { metadata, status } = state.stack;
  const { labels = {} } = metadata;
  const ownership = selects(world.selectorOf(state.type), labels)
    ? decideOwnership(labels[OPERATOR_VERSION_LABEL], self.version)
    : ({ kind: 'unselected' } as const);
  const decision = decideClaim(ownership, status?.claim, self);
  switch (decision.kind) {
    case 'act':
      return 'next';
    case 'claim':
      signClaim(state, world);
      return 'next';
    case 'wait':
      return waitFor(decision.holder, state, world);
    case 'release':
      await release(state, world);
      return 'stop';
    case 'refuse':
      setCondition(state, 'Accepted', 'False', decision.reason, formatProblem(decision.problem));
      return 'report';
    case 'ignore':
      return 'stop';
  }
}

function signClaim(state: State, { self, now }: World): void {
  const before = state.stack.status?.claim;
  state.draft.claim = { ...self, claimedAt: now().toISOString() };
  if (before === undefined || before.operator === self.operator) return;
  const message = `Operator ${nameOf(self)} has taken the stack over from operator ${nameOf(before)}.`;
  state.events.push({ type: 'Normal', reason: 'TakenOver', message });
}

function nameOf({ operator, version }: Pick<Claim, 'operator' | 'version'>): string {
  return `${operator} ${version}`;
}

/** The holder lets go as soon as it sees the label; one that no longer holds its Lease will not, and does not act either. */
async function waitFor(holder: Claim, state: State, world: World): Promise<Outcome> {
  const watched = await look(holder, world);
  if (watched === 'gone') {
    signClaim(state, world);
    return 'next';
  }
  const { self } = world;
  if (holder.major === self.major || watched === 'unreadable') {
    state.rival = { operator: holder.operator, lease: leaseOf(holder, self), readable: watched !== 'unreadable' };
  }
  lookAgainAfter(state, WAIT_MS);
  return 'stop';
}

/**
 * What the Lease of a holder says about it. Another installation of our own major gets the time to take its Lease again: while its
 * pod is replaced, nobody holds the Lease for a moment, but the stacks are still its own.
 */
async function look(holder: Claim, { self, leases, leaseMs }: World): Promise<'alive' | 'gone' | 'unreadable'> {
  try {
    const { free, unchangedMs } = await leases.observe(leaseOf(holder, self));
    return free && (holder.major !== self.major || unchangedMs >= leaseMs) ? 'gone' : 'alive';
  } catch (error) {
    if (isForbidden(error)) return 'unreadable';
    throw error;
  }
}

async function release(state: State, world: World): Promise<void> {
  const { status } = state.stack;
  if (status?.claim === undefined) return;
  const message = 'The labels of the stack no longer name this operator, so it has let go of the stack.';
  const news = [{ type: 'Normal', reason: 'Released', message }] as const;
  await writeStatus(state, world, { ...status, claim: { ...status.claim, released: true } }, news);
}
