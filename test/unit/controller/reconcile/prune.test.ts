import assert from 'node:assert/strict';
import { OWNED_KINDS } from '../../../../controller/src/reconcile/kinds.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { prune } from '../../../../controller/src/reconcile/steps/apply.ts';
import { Client } from '../../../../controller/src/runtime/client.ts';
import { OwnedKinds } from '../../../../controller/src/runtime/owned.ts';
import { withFakeApi, listOf } from '../../../support/fake-api.ts';
import { loadConnection } from '../../../../controller/src/runtime/kubeconfig.ts';
import { stackWith } from '../../../support/stacks.ts';

const BUDGETS = '/apis/policy/v1/poddisruptionbudgets';

/** What is deleted of an inventory by an operator that sees budgets as policy/v1, and what stays in the inventory. */
async function pruned(
  inventory: NonNullable<State['draft']['inventory']>,
): Promise<{ gone: string[]; kept: string[] }> {
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
    const applier = { deleteControlled: (_type: unknown, { name }: { name: string }) => void gone.push(name) };
    const draft: State['draft'] = { inventory };
    await prune(
      { stack: stackWith({}), draft, failures: [], leftovers: [] } as unknown as State,
      { owned, applier } as unknown as World,
    );
    stop.abort();
    await Promise.all(running);
    client.close();
    return { gone, kept: (draft.inventory ?? []).map(({ name }) => name) };
  });
}

describe('what is pruned', () => {
  it('is what the inventory names and nobody wants, except in versions that this operator does not make', async () => {
    const kind = 'PodDisruptionBudget';
    const { gone, kept } = await pruned([
      { apiVersion: 'policy/v1', kind, name: 'ours' },
      { apiVersion: 'policy/v2', kind, name: 'newer' },
      { apiVersion: 'example.com/v1', kind: 'Route', name: 'unknown' },
    ]);
    assert.deepEqual({ gone, kept }, { gone: ['ours'], kept: ['newer', 'unknown'] });
  });
});
