import assert from 'node:assert/strict';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { precedes } from '../../../../controller/src/reconcile/namesake.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { namesake } from '../../../../controller/src/reconcile/steps/namesake.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const CLAIM = { major: 1, version: '1.0.0', operator: 'x/y' };

/** A stack `chat` of one kind, made in the given year. */
function twin(kind: string, year: number, more: Partial<InferenceStack> = {}): InferenceStack {
  const stack = stackWith({});
  return { ...stack, kind, metadata: { ...stack.metadata, creationTimestamp: `${year}-01-01T00:00:00Z` }, ...more };
}

describe('of two stacks with one name', () => {
  const older = twin('ModelOrchestra', 2025);
  const younger = twin('InferenceStack', 2026);

  function first(one: InferenceStack, other: InferenceStack): InferenceStack {
    assert.notEqual(precedes(one, other), precedes(other, one), 'exactly one of them comes first');
    return precedes(one, other) ? one : other;
  }

  it('the older one comes first', () => {
    assert.equal(first(older, younger), older);
  });

  it('the one that an operator acts on comes first, until it lets go', () => {
    const acting = { ...younger, status: { claim: CLAIM } };
    assert.equal(first(acting, older), acting);
    const released = { ...younger, status: { claim: { ...CLAIM, released: true } } };
    assert.equal(first(released, older), older);
  });

  it('one that no operator looks after stands in nobody’s way', () => {
    const unlabelled = { ...older, metadata: { ...older.metadata, labels: {} } };
    assert.equal(first(unlabelled, younger), younger);
  });

  it('exactly one comes first also when both were made at once', () => {
    const sibling = twin('ModelOrchestra', 2026);
    assert.equal(first(sibling, younger), younger);
  });

  it('the second one is refused, claims nothing, and names the first', () => {
    const world = { namesakesOf: () => [older] } as unknown as World;
    const state = { stack: younger, draft: { claim: CLAIM }, events: [{}], conditions: new Map() } as unknown as State;
    assert.equal(namesake(state, world), 'report');
    assert.deepEqual([state.draft, state.events], [{}, []]);
    const { status, reason, message } = state.conditions.get('Accepted') ?? { message: '' };
    assert.deepEqual([status, reason], ['False', 'NameTaken']);
    assert.match(message, /^metadata\.name: is also the name of ModelOrchestra team-a\/chat, .*\(got "chat"\)\. Give/);
    assert.ok(message.length <= 200, message);
  });
});
