import assert from 'node:assert/strict';
import { leaseName } from '../../../../packages/api/operator-names.ts';
import { EVENTS } from '../../../../packages/kube/events.ts';
import { LEASES, type Lease } from '../../../../packages/kube/lease/lease-watch.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { grantOperatorRights } from '../../../support/operator/operator-rights.ts';
import { OPERATOR_NAMESPACE, prepareLeases, TestOperator } from '../../../support/operator/operator.ts';
import { getStack, newStack, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';

const ELSEWHERE = 'elsewhere';

describe('two installations of one major, each with a Lease of its own', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let first: TestOperator;
  let second: TestOperator;

  const claimant = async (name: string): Promise<string | undefined> =>
    (await getStack(plane.client, 'team-a', name)).status?.claim?.operator.split('/')[0];
  const conflicts = (operator: TestOperator): Promise<number> => operator.sum('inference_stack_operator_conflict');
  const leads = async (operator: TestOperator): Promise<void> => {
    await eventually(async () => assert.equal(await operator.sum('leader_election_master_status'), 1));
  };

  before(async () => {
    plane = await startPlane();
    await prepareLeases(plane.client, [1], ELSEWHERE);
    await grantOperatorRights(plane.client, 'first');
    first = await TestOperator.start(await plane.connectionFor('first'), { pod: 'first' });
    await leads(first);
    await plane.client.create(STACKS, newStack('team-a', 'chat', { applications: { llm: {} } }));
    await eventually(async () => assert.equal(await claimant('chat'), OPERATOR_NAMESPACE));
    await first.quiet();
    second = await start('second');
    await leads(second);
  });
  after(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await plane.stop();
  });

  function start(pod: string): Promise<TestOperator> {
    return TestOperator.start(plane.connection, { pod, namespace: ELSEWHERE, leaseNamespace: ELSEWHERE });
  }

  it('do not take stacks from each other, and the one that is kept out says so', async () => {
    await eventually(async () => assert.equal(await conflicts(second), 1));
    await eventually(async () => {
      const events = await plane.client.listAll(EVENTS, { namespace: ELSEWHERE });
      const messages = events
        .filter((event) => event['reason'] === 'OperatorConflict')
        .map((event) => event['message']);
      assert.equal(messages.length, 1);
      assert.match(String(messages[0]), /leaves the stacks of inference-stack-operator-system\/.* alone/);
    });
    await plane.client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'chat' },
      { spec: { applications: { llm: { replicaCount: 2 } } } },
    );
    await eventually(async () => {
      const { status, metadata } = await getStack(plane.client, 'team-a', 'chat');
      assert.equal(status?.observedGeneration, metadata.generation);
    });
    await first.quiet();
    assert.equal(await claimant('chat'), OPERATOR_NAMESPACE);
    assert.equal(await second.writes(), 1, 'the Event, and nothing else');
    assert.equal(await conflicts(first), 0);
  });

  it('leave a stack to whichever of them was faster', async () => {
    for (let index = 0; index < 10; index += 1) {
      await plane.client.create(STACKS, newStack('team-a', `new-${index}`, {}));
    }
    const claimants = async (): Promise<(string | undefined)[]> =>
      Promise.all(Array.from({ length: 10 }, (_, index) => claimant(`new-${index}`)));
    const claimed = await eventually(async () => {
      const names = await claimants();
      assert.ok(!names.includes(undefined), 'all are claimed');
      return names;
    });
    const versions = async (): Promise<unknown> =>
      (await plane.client.listAll(STACKS)).map(({ metadata }) => metadata.resourceVersion);
    const settled = await eventually(async () => {
      const before = await versions();
      // Each looks again at what the other holds: that must lead to nothing.
      const looks = await second.sum('controller_runtime_reconcile_total', { result: 'requeue_after' });
      await eventually(async () => {
        assert.ok((await second.sum('controller_runtime_reconcile_total', { result: 'requeue_after' })) > looks + 2);
      });
      assert.deepEqual(await versions(), before);
      return claimants();
    }, 30_000);
    assert.deepEqual(settled, claimed);
  });

  it('keep their stacks while they replace their pods', async () => {
    // As a Deployment does it: the new pod is ready before the old one goes.
    const next = await TestOperator.start(await plane.connectionFor('first'), { pod: 'next', version: '1.1.0' });
    await eventually(() => assert.deepEqual(next.running.ready(), {}));
    await first.stop();
    first = next;
    await leads(first);
    await eventually(async () => {
      assert.equal((await getStack(plane.client, 'team-a', 'chat')).status?.claim?.version, '1.1.0');
    });
    assert.equal(await claimant('chat'), OPERATOR_NAMESPACE);
  });

  it('take over when the other one has gone for as long as a Lease lasts', async () => {
    await first.stop();
    await eventually(async () => assert.equal(await claimant('chat'), ELSEWHERE));
    await eventually(async () => assert.equal(await conflicts(second), 0));
  });

  it('take over with the rights of their bundle when the Lease of the other one was deleted', async () => {
    await second.stop();
    const lease = { namespace: ELSEWHERE, name: leaseName(1) };
    const given = (await plane.client.get(LEASES, lease)) as Lease;
    assert.equal(given.spec?.holderIdentity, '');
    await plane.client.delete(LEASES, lease);
    first = await TestOperator.start(await plane.connectionFor('first'), { pod: 'back', version: '1.1.0' });
    await eventually(async () => assert.equal(await claimant('chat'), OPERATOR_NAMESPACE), 20_000);
  });
});
