import assert from 'node:assert/strict';
import { OWNED_KINDS } from '../../../../packages/api/kinds.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { prune } from '../../../../controller/src/reconcile/steps/prune.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import { Client } from '../../../../packages/kube/client/client.ts';
import { OwnedKinds } from '../../../../packages/kube/apply/owned.ts';
import { withFakeApi, listOf } from '../../../support/kubernetes/fake-api.ts';
import { loadConnection } from '../../../../packages/kube/connect/kubeconfig.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const BUDGETS = '/apis/policy/v1/poddisruptionbudgets';

interface Pruned {
  readonly gone: string[];
  readonly kept: string[];
  readonly failures: string[];
  /** What the condition `Pruned` says, where there is one. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/**
 * What is deleted of an inventory by an operator that sees budgets as policy/v1, and what stays in the inventory. A budget `needed`
 * is spared, and the API server refuses to delete a budget `guarded`.
 */
async function pruned(inventory: NonNullable<State['draft']['inventory']>): Promise<Pruned> {
  return withFakeApi({ [BUDGETS]: listOf() }, async (kubeconfig) => {
    const nothing = (): undefined => undefined;
    const client = new Client(await loadConnection({ kubeconfig }));
    const owned = new OwnedKinds({
      client,
      kinds: OWNED_KINDS.filter(({ type }) => type.kind === 'PodDisruptionBudget'),
      labelSelector: '',
      fieldManager: 'test',
      ownerOf: nothing,
      detailsOf: nothing,
      onOwner: nothing,
      onWritten: nothing,
      onServed: nothing,
    });
    const stop = new AbortController();
    const running = owned.reflectors.map((reflector) => reflector.run(stop.signal));
    await Promise.all(owned.reflectors.map(({ whenSynced }) => whenSynced));
    const gone: string[] = [];
    const applier = {
      deleteControlled: (_type: unknown, { name }: { name: string }): string => {
        if (name === 'needed') return 'spared';
        if (name === 'guarded') throw new ApiError('DELETE', 403, { message: 'denied by a webhook' });
        gone.push(name);
        return 'done';
      },
    };
    const draft: State['draft'] = { inventory };
    const state = { stack: stackWith({}), draft, unapplied: [], failures: [] as Error[], conditions: new Map() };
    await prune(state as unknown as State, { owned, applier } as unknown as World);
    stop.abort();
    await Promise.all(running);
    client.close();
    return {
      gone,
      kept: (draft.inventory ?? []).map(({ name }) => name),
      failures: state.failures.map(({ message }) => message),
      ...(state.conditions as State['conditions']).get('Pruned'),
    } as Pruned;
  });
}

describe('what is pruned', () => {
  it('is what the inventory names and nobody wants, except in versions that this operator does not make', async () => {
    const kind = 'PodDisruptionBudget';
    const { gone, kept, reason } = await pruned([
      { apiVersion: 'policy/v1', kind, name: 'ours' },
      { apiVersion: 'policy/v2', kind, name: 'newer' },
      { apiVersion: 'example.com/v1', kind: 'Route', name: 'unknown' },
    ]);
    assert.deepEqual({ gone, kept }, { gone: ['ours'], kept: ['newer', 'unknown'] });
    assert.equal(reason, 'KindUnknown');
  });

  it('is the rest when the API server refuses to delete an object, or one is still needed, and that is said', async () => {
    const names = ['guarded', 'needed', 'ours'];
    const { gone, kept, failures, reason, message } = await pruned(
      names.map((name) => ({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name })),
    );
    assert.deepEqual({ gone, kept }, { gone: ['ours'], kept: ['guarded', 'needed'] });
    assert.deepEqual(failures, ['The API server refuses PodDisruptionBudget team-a/guarded: denied by a webhook']);
    assert.equal(reason, 'DeletionRefused');
    assert.match(message ?? '', /^PodDisruptionBudget guarded is no longer wanted, and stays because .* delete it; /);
  });

  it('leaves no word when nothing stays', async () => {
    const { message } = await pruned([{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name: 'ours' }]);
    assert.equal(message, undefined);
  });
});
