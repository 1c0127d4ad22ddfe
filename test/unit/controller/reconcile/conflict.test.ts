import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import type { Rival } from '../../../../controller/src/reconcile/claim.ts';
import { ConflictReporter } from '../../../../controller/src/reconcile/conflict.ts';
import { silentLogger } from '../../../../packages/kube/process/log.ts';

const RIVAL: Rival = { operator: 'copy/v1', lease: { namespace: 'copy', name: 'v1' }, readable: true };

describe('the report of a conflict', () => {
  let told: string[];
  let registry: Registry;
  let conflict: ConflictReporter;

  beforeEach(() => {
    told = [];
    registry = new Registry();
    conflict = new ConflictReporter({
      installation: 'ops/v1',
      lease: { namespace: 'ops', name: 'v1' },
      events: { record: (_about, { message }) => void told.push(message) },
      registry,
      logger: silentLogger,
    });
  });

  const metric = async (): Promise<number | undefined> =>
    (await registry.getSingleMetric('inference_stack_operator_conflict')?.get())?.values[0]?.value;

  it('comes once for all stacks of a rival, lasts until the last of them is free, and comes again', async () => {
    for (const stack of ['a', 'b', 'a', 'b']) conflict.onStack(stack, RIVAL);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /ops\/v1 leaves the stacks of copy\/v1 alone, .* under Lease copy\/v1\. Uninstall one/);
    conflict.onStack('a', undefined);
    assert.equal(await metric(), 1);
    conflict.onStack('b', undefined);
    assert.equal(await metric(), 0);
    conflict.onStack('b', RIVAL);
    assert.equal(told.length, 2);
  });

  it('says what to do about a Lease that cannot be read', () => {
    conflict.onStack('a', { ...RIVAL, readable: false });
    assert.match(told[0] ?? '', /may not read Lease copy\/v1.* Allow it to get this Lease; .* status\.claim\.released/);
  });

  it('tells of the holder of the Lease, and ends with its stacks when this operator no longer leads', async () => {
    conflict.onHolder('ops/v1_pod-0');
    conflict.onStack('a', RIVAL);
    assert.equal(await metric(), 1);
    conflict.forgetStacks();
    assert.equal(await metric(), 0);
    conflict.onHolder('elsewhere/v1_pod-1');
    conflict.onHolder('elsewhere/v1_pod-2');
    assert.equal(await metric(), 1);
    assert.equal(told.length, 2);
    conflict.onHolder('ops/v1_pod-3');
    assert.equal(await metric(), 0);
  });
});
