import assert from 'node:assert/strict';
import { leaseName } from '../../../../packages/api/operator-names.ts';
import { EVENTS } from '../../../../packages/kube/events.ts';
import { LEASES, type Lease } from '../../../../packages/kube/lease/lease-watch.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { OPERATOR_NAMESPACE, TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf, getStack, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';

const DEPLOYMENTS = ownedType('Deployment');
const CLAIMS = ownedType('PersistentVolumeClaim');
const CONFIG_MAPS = ownedType('ConfigMap');

const LEASE_OF_ONE = { namespace: OPERATOR_NAMESPACE, name: leaseName(1) };

describe('which operator serves a stack', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  const running: TestOperator[] = [];

  const start = async (options: Parameters<typeof TestOperator.start>[1]): Promise<TestOperator> => {
    const operator = await TestOperator.start(plane.connection, options);
    running.push(operator);
    return operator;
  };
  const observed = async (name: string): Promise<Awaited<ReturnType<typeof getStack>>> =>
    eventually(async () => {
      const stack = await getStack(plane.client, 'team-a', name);
      assert.equal(stack.status?.observedGeneration, stack.metadata.generation);
      return stack;
    });
  const holder = async (major: number): Promise<string> => {
    const lease = await plane.client.get(LEASES, { namespace: OPERATOR_NAMESPACE, name: leaseName(major) });
    return (lease as Lease).spec?.holderIdentity ?? '';
  };

  before(async () => {
    plane = await startPlane([1, 2]);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((operator) => operator.stop()));
  });
  after(() => plane.stop());

  it('leaves stacks of other majors and without a label alone', async () => {
    const operator = await start({ version: '1.2.0' });
    await plane.client.create(STACKS, newStack('team-a', 'other', {}, 'v3'));
    const unlabelled = newStack('team-a', 'unlabelled', {});
    delete unlabelled.metadata.labels;
    await plane.client.create(STACKS, unlabelled);
    await plane.client.create(STACKS, newStack('team-a', 'mine', {}, '1'));
    await observed('mine');
    await operator.quiet();
    assert.equal((await getStack(plane.client, 'team-a', 'other')).status, undefined);
    assert.equal((await getStack(plane.client, 'team-a', 'unlabelled')).status, undefined);
    const names = (await plane.client.listAll(DEPLOYMENTS)).map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ['mine-inference-stack-gateway']);
  });

  it('lets go of a stack that the watches file no longer selects, and keeps its objects', async () => {
    const watches = '[{version: v1beta1, kind: InferenceStack, selector: {matchLabels: {tier: live}}}]';
    const operator = await start({ version: '1.2.0', watches });
    const selected = newStack('team-a', 'selected', {});
    Object.assign(selected.metadata.labels ?? {}, { tier: 'live' });
    await plane.client.create(STACKS, selected);
    await observed('selected');
    const labels = { tier: 'retired', operatorVersion: 'v2' };
    await plane.client.mergePatch(STACKS, { namespace: 'team-a', name: 'selected' }, { metadata: { labels } });
    await eventually(async () => {
      assert.equal((await getStack(plane.client, 'team-a', 'selected')).status?.claim?.released, true);
    });
    await operator.quiet();
    await plane.client.get(DEPLOYMENTS, { namespace: 'team-a', name: 'selected-inference-stack-gateway' });
  });

  it('refuses to share what outlives its stack with another stack whose objects have the same names', async () => {
    const operator = await start({ version: '1.2.0' });
    const chat = (size: string): object => ({ modelCache: { size, deletionPolicy: 'Retain' } });
    await plane.client.create(STACKS, newStack('team-a', 'twin', { applications: { chat: chat('10Gi') } }));
    await observed('twin');
    await operator.quiet();
    const claim = { namespace: 'team-a', name: 'twin-inference-stack-chat' };
    const before = await plane.client.get(CLAIMS, claim);
    const other = newStack('team-a', 'twin-inference-stack', { applications: { chat: chat('20Gi') } });
    await plane.client.create(STACKS, other);
    await eventually(async () => {
      const { message } = conditionOf(await getStack(plane.client, 'team-a', other.metadata.name), 'Ready');
      assert.match(message, /is controlled by InferenceStack twin/);
    });
    assert.deepEqual(await plane.client.get(CLAIMS, claim), before);
    // One that is refused is tried again for ever.
    await plane.client.delete(STACKS, other.metadata);
  });

  it('changes nothing for a stack that asks for a newer operator, and says so', async () => {
    await start({ version: '1.2.0' });
    await plane.client.create(STACKS, newStack('team-a', 'newer', {}, '1.9'));
    const stack = await observed('newer');
    assert.equal(conditionOf(stack, 'Accepted').reason, 'OperatorTooOld');
    assert.match(conditionOf(stack, 'Accepted').message, /1\.9\.0 or newer, but 1\.2\.0 is installed/);
    assert.equal(conditionOf(stack, 'Stalled').status, 'True');
    assert.equal(stack.status?.inventory, undefined);
    await eventually(async () => {
      const events = await plane.client.listAll(EVENTS, { namespace: 'team-a' });
      assert.ok(events.some((event) => event['reason'] === 'OperatorTooOld'));
    });
  });

  it('keeps a second installation of the major idle and ready, and reports the conflict', async () => {
    const first = await start({ pod: 'first' });
    await eventually(async () => assert.match(await holder(1), /_first$/));
    const second = await start({ pod: 'second', namespace: 'elsewhere' });
    await eventually(() => assert.deepEqual(second.running.ready(), {}));
    const conflicts = async (operator: TestOperator): Promise<number> =>
      operator.sum('inference_stack_operator_conflict');
    await eventually(async () => {
      assert.equal(await conflicts(second), 1);
      const events = await plane.client.listAll(EVENTS, { namespace: OPERATOR_NAMESPACE });
      assert.ok(events.some((event) => event['reason'] === 'OperatorConflict'));
    });
    assert.equal(await conflicts(first), 0);
    await plane.client.create(STACKS, newStack('team-a', 'while-two', {}));
    await observed('while-two');
    assert.equal(
      (await getStack(plane.client, 'team-a', 'while-two')).status?.claim?.operator.split('/')[0],
      OPERATOR_NAMESPACE,
    );

    await first.stop();
    running.splice(running.indexOf(first), 1);
    const started = performance.now();
    await eventually(async () => assert.match(await holder(1), /_second$/));
    assert.ok(performance.now() - started < 2000, 'a Lease that was given back need not run out');
    await eventually(async () => assert.equal(await conflicts(second), 0));
  });

  it('does not take a rolling upgrade for a conflict', async () => {
    await start({ pod: 'old' });
    await eventually(async () => assert.match(await holder(1), /_old$/));
    const next = await start({ pod: 'new', version: '1.3.0' });
    await eventually(() => assert.deepEqual(next.running.ready(), {}));
    assert.equal(await next.sum('inference_stack_operator_conflict'), 0);
  });

  it('hands a stack over to the next major without touching a pod template', async () => {
    const one = await start({ version: '1.2.0', pod: 'one' });
    const two = await start({ version: '2.0.0', pod: 'two' });
    await plane.client.create(STACKS, newStack('team-a', 'moving', { applications: { chat: {} } }, 'v1'));
    await observed('moving');
    await one.quiet();
    const before = await templates();
    const writes = await one.writes();
    await plane.client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'moving' },
      { metadata: { labels: { operatorVersion: 'v2' } } },
    );
    await eventually(async () => {
      const { status } = await getStack(plane.client, 'team-a', 'moving');
      assert.equal(status?.claim?.major, 2);
      assert.equal(status.claim.released, undefined);
    });
    await two.quiet();
    await one.quiet();
    assert.deepEqual(await templates(), before);
    assert.equal((await one.writes()) - writes, 2, 'the old operator writes its release and an Event, and no more');
  });

  it('waits for an operator that does not let go until its Lease has run out', async () => {
    const two = await start({ version: '2.0.0', pod: 'two' });
    await eventually(() => assert.deepEqual(two.running.ready(), {}));
    const stack = await plane.client.create(STACKS, newStack('team-a', 'stuck', {}, 'v2'));
    // An operator of major 1 that is alive, and blind: its Lease is renewed by hand below.
    const renew = async (): Promise<void> => {
      const lease = (await plane.client.get(LEASES, LEASE_OF_ONE)) as Lease;
      const renewTime = new Date().toISOString().replace('Z', '000Z');
      const spec = { holderIdentity: 'somebody/else_pod', leaseDurationSeconds: 3, renewTime };
      await plane.client.update(LEASES, { ...lease, spec });
    };
    await two.stop();
    running.splice(running.indexOf(two), 1);
    await renew();
    await plane.client.mergePatch(
      STACKS,
      stack.metadata,
      { status: { claim: { major: 1, version: '1.0.0', operator: 'somebody/else', lease: LEASE_OF_ONE } } },
      { subresource: 'status' },
    );
    const again = await start({ version: '2.0.0', pod: 'two' });
    await eventually(() => assert.deepEqual(again.running.ready(), {}));
    await renew();
    const renewedAt = performance.now();
    await eventually(async () => {
      assert.equal((await getStack(plane.client, 'team-a', 'stuck')).status?.claim?.major, 2);
    }, 20_000);
    assert.ok(performance.now() - renewedAt >= 2900, 'it did not wait for the Lease to run out');
  });

  it('refuses an object that somebody else controls, and adopts one that nobody does', async () => {
    const operator = await start({});
    const owner = await plane.client.create(CONFIG_MAPS, configMap('owner', {}));
    const theirs = configMap('taken-inference-stack-gateway', { theirs: 'yes' });
    theirs.metadata.ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '', controller: true },
    ];
    await plane.client.create(CONFIG_MAPS, theirs);
    await plane.client.create(STACKS, newStack('team-a', 'taken', {}));
    const refused = await eventually(async () => {
      const stack = await getStack(plane.client, 'team-a', 'taken');
      assert.equal(conditionOf(stack, 'Stalled').reason, 'ApplyRefused');
      return stack;
    });
    assert.match(
      conditionOf(refused, 'Stalled').message,
      /ConfigMap team-a\/taken-inference-stack-gateway is controlled by ConfigMap owner/,
    );
    const kept = await plane.client.get(CONFIG_MAPS, theirs.metadata);
    assert.deepEqual(kept['data'], { theirs: 'yes' });

    const foreign = configMap('named-inference-stack-gateway', { 'config.yaml': 'mine' });
    await plane.client.create(CONFIG_MAPS, foreign);
    await plane.client.create(STACKS, newStack('team-a', 'named', {}));
    await eventually(async () => {
      const message = conditionOf(await getStack(plane.client, 'team-a', 'named'), 'Stalled').message;
      assert.match(message, /was not made for this stack/);
    });
    assert.deepEqual((await plane.client.get(CONFIG_MAPS, foreign.metadata))['data'], { 'config.yaml': 'mine' });

    const left = configMap('helm-inference-stack-gateway', { 'config.yaml': 'old' });
    left.metadata.labels = { 'app.kubernetes.io/instance': 'helm', 'app.kubernetes.io/managed-by': 'Helm' };
    await plane.client.create(CONFIG_MAPS, left);
    const stack = await plane.client.create(STACKS, newStack('team-a', 'helm', {}));
    await eventually(async () => {
      const { metadata, ...rest } = await plane.client.get(CONFIG_MAPS, left.metadata);
      assert.equal(metadata.ownerReferences?.[0]?.uid, stack.metadata.uid);
      assert.match(JSON.stringify(rest), /takeoff/);
    });
    await operator.stop();
    running.splice(running.indexOf(operator), 1);
  });

  it('refuses an object of somebody else also where the two would agree', async () => {
    await start({});
    const account: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'shared', namespace: 'team-a' },
    };
    const before = await plane.client.create(ownedType('ServiceAccount'), account);
    await plane.client.create(STACKS, newStack('team-a', 'agrees', { serviceAccount: { name: 'shared' } }));
    await eventually(async () => {
      const { message } = conditionOf(await getStack(plane.client, 'team-a', 'agrees'), 'Stalled');
      assert.match(
        message,
        /ServiceAccount team-a\/shared was not made for this stack\. .*, or serviceAccount\.create: false to use it\./,
      );
    });
    assert.deepEqual(await plane.client.get(ownedType('ServiceAccount'), account.metadata), before);
  });

  async function templates(): Promise<Record<string, unknown>> {
    const list = await plane.client.listAll(DEPLOYMENTS, { namespace: 'team-a' });
    return Object.fromEntries(
      list.map((object) => [object.metadata.name, (object['spec'] as { template: unknown }).template]),
    );
  }
});

function configMap(name: string, data: Record<string, string>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'team-a' }, data };
}
