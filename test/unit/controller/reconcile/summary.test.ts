import assert from 'node:assert/strict';
import { summarize } from '../../../../controller/src/reconcile/summary.ts';
import { news } from '../../../../controller/src/reconcile/steps/report.ts';
import type { Condition } from '../../../../packages/api/types.ts';
import type { ConditionInput } from '../../../../packages/kube/conditions.ts';
import type { Observation } from '../../../../controller/src/reconcile/steps/observe.ts';

const accepted: ConditionInput = { type: 'Accepted', status: 'True', reason: 'Valid', message: 'ok' };
const ready = { phase: 'Ready', message: 'fine' } as const;

function summary(
  observation: Observation,
  failures: Error[] = [],
  found: readonly ConditionInput[] = [],
  missing?: string,
): Record<string, ConditionInput> {
  const known = new Map([accepted, ...found].map((condition) => [condition.type, condition]));
  const conditions = summarize({ conditions: known, failures, plans: { a: { missing } } }, observation);
  return Object.fromEntries(conditions.map((condition) => [condition.type, condition]));
}

describe('the summary of a stack', () => {
  it('is ready when the gateway and all applications are, suspended ones aside', () => {
    const all = summary({ gateway: ready, applications: { a: ready, b: { phase: 'Suspended' } } });
    assert.equal(all['Ready']?.status, 'True');
    assert.equal(all['Progressing']?.status, 'False');
    assert.equal(all['Stalled']?.status, 'False');
    assert.equal(all['ApplicationsReady']?.message, 'All 2 applications are ready.');
    assert.equal(
      summary({ gateway: ready, applications: { a: ready } })['ApplicationsReady']?.message,
      'The application is ready.',
    );
  });

  it('is progressing while something is on its way, with the reason', () => {
    const all = summary({ gateway: ready, applications: { a: { phase: 'Waiting', message: 'no image' } } });
    assert.equal(all['Ready']?.status, 'False');
    assert.equal(all['Progressing']?.status, 'True');
    assert.match(all['Progressing'].message, /a: no image/);
  });

  it('is progressing while objects of an earlier stack of its name are in the way, and needs nobody for that', () => {
    const leftovers = [new Error('Service a is left over from an earlier InferenceStack')];
    const conditions = new Map([[accepted.type, accepted]]);
    const all = summarize({ conditions, failures: [], leftovers, plans: {} }, { gateway: ready, applications: {} });
    const told = all.filter(({ type }) => ['Ready', 'Progressing', 'Stalled'].includes(type));
    assert.deepEqual(
      told.map(({ type, status, reason }) => [type, status, reason]),
      [
        ['Ready', 'False', 'WaitingForCleanup'],
        ['Progressing', 'True', 'WaitingForCleanup'],
        ['Stalled', 'False', 'NotStalled'],
      ],
    );
  });

  it('tells what is in trouble, and not what is just on its way', () => {
    const starting = { phase: 'Progressing', message: '0 of 1 pods are ready' } as const;
    const trouble = { phase: 'Waiting', message: 'no image' } as const;
    const all = summary({ gateway: starting, applications: { a: starting, b: trouble } });
    assert.deepEqual([all['Ready']?.reason, all['Ready']?.message], ['Waiting', 'b: no image']);
    assert.equal(all['Stalled']?.message, 'The stack may still become ready by itself.');
    assert.deepEqual([all['ApplicationsReady']?.reason, all['ApplicationsReady']?.message], ['Waiting', 'b: no image']);
    assert.equal(
      summary({ gateway: starting, applications: { a: starting, b: ready } })['Ready']?.message,
      'gateway, a: 0 of 1 pods are ready',
    );
  });

  it('names what has failed before all that only waits', () => {
    const waiting = { phase: 'Waiting', message: 'no node has room for it' } as const;
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`app-${index}`, waiting]));
    const failed = { phase: 'Failed', message: 'its model does not exist' } as const;
    const all = summary({ gateway: ready, applications: { ...many, last: failed } });
    const message = 'last: its model does not exist; app-0, app-1, app-2, app-3 and 26 more: no node has room for it';
    assert.deepEqual([all['Ready']?.reason, all['Ready']?.message], ['RolloutFailed', message]);
    assert.equal(all['ApplicationsReady']?.message, message);
  });

  describe('of which GPUs are missing', () => {
    const message = 'Application a has no node for 1 pod: no node has 64 free H200: 1 node matches, at most 8 free.';
    const gpus: ConditionInput = { type: 'GPUsAvailable', status: 'False', reason: 'InsufficientGPUs', message };
    const gateway = { phase: 'Waiting', message: 'Pod g, container main: ErrImagePull: denied' } as const;

    it('says so first, and once, before what else is not ready', () => {
      const all = summary(
        { gateway, applications: { a: { phase: 'Waiting', message }, b: ready } },
        [],
        [gpus],
        message,
      );
      assert.equal(all['Ready']?.reason, 'InsufficientGPUs');
      assert.equal(all['Ready'].message, `${message.slice(0, -1)}; gateway: ${gateway.message}`);
      assert.equal(all['Progressing']?.message, all['Ready'].message);
      assert.equal(all['ApplicationsReady']?.message, message);
    });

    it('says so first as well when the rollout has failed', () => {
      const all = summary({ gateway, applications: { a: { phase: 'Failed', message } } }, [], [gpus], message);
      assert.equal(all['Ready']?.message, `${message.slice(0, -1)}; gateway: ${gateway.message}`);
      assert.equal(all['Stalled']?.reason, 'RolloutFailed');
    });

    it('says first what the API server has refused', () => {
      const all = summary({ gateway, applications: {} }, [new Error('forbidden')], [gpus], message);
      assert.equal(all['Ready']?.message, 'forbidden');
    });
  });

  it('is stalled when a person has to act: refused, not applied, or failed', () => {
    const refused = summary({}, [], [{ ...accepted, status: 'False', reason: 'InvalidSpec', message: 'bad' }]);
    assert.equal(refused['Stalled']?.reason, 'InvalidSpec');
    assert.equal(refused['GatewayReady']?.status, 'Unknown');
    assert.equal(refused['ApplicationsReady']?.status, 'Unknown');
    const failed = summary({ gateway: ready, applications: { a: { phase: 'Failed', message: 'crash' } } });
    assert.equal(failed['Stalled']?.reason, 'RolloutFailed');
    const notApplied = summary({ gateway: ready }, [new Error('forbidden')]);
    assert.equal(notApplied['Stalled']?.reason, 'ApplyRefused');
    assert.equal(notApplied['Progressing']?.status, 'False');
    assert.equal(notApplied['Ready']?.status, 'False');
  });
});

describe('news', () => {
  const condition = (type: string, status: Condition['status'], message: string): Condition => ({
    type,
    status,
    message,
    reason: 'Because',
    lastTransitionTime: '',
  });

  it('are told when a condition turns, and not again', () => {
    const stalled = [condition('Stalled', 'True', 'x')];
    assert.equal(news([], stalled).length, 1);
    assert.equal(news(stalled, stalled).length, 0);
    assert.deepEqual(news([], [condition('Ready', 'True', 'y')]), [
      { type: 'Normal', reason: 'Because', message: 'y' },
    ]);
  });

  it('are told once when one cause shows in two conditions', () => {
    assert.equal(news([], [condition('Accepted', 'False', 'x'), condition('Stalled', 'True', 'x')]).length, 1);
  });
});
