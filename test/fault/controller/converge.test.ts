import assert from 'node:assert/strict';
import { MANAGED_BY_OPERATOR } from '../../../packages/api/labels.ts';
import { INSTANCE_LABEL } from '../../../packages/render/names.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import type { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { FaultyProxy } from '../../support/kubernetes/faulty-proxy.ts';
import { TestOperator, type TestOperatorOptions } from '../../support/operator/operator.ts';
import { snapshot } from '../../support/kubernetes/snapshot.ts';
import { createNamespace, getStack, newStack, ownedType, STACKS } from '../../support/operator/stack-api.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';

const CONFIG_MAPS = ownedType('ConfigMap');
const SPEC = { applications: { chat: { readerConfig: { modelName: 'm/chat' } }, gone: {} } };
const CHANGE = {
  spec: { applications: { gone: null, embed: { replicaCount: 2 }, chat: { readerConfig: { maxBatchSize: 8 } } } },
};

describe('an operator under faults', function () {
  this.timeout(240_000);
  let plane: ControlPlane;
  let proxy: FaultyProxy;
  let operator: TestOperator | undefined;
  let expected: Record<string, unknown>;
  let number = 0;

  before(async () => {
    plane = await startPlane();
    const undisturbed = await TestOperator.start(plane.connection, { pod: 'reference' });
    const namespace = await live();
    expected = await settle(namespace, undisturbed);
    await undisturbed.stop();
  });
  beforeEach(async () => {
    proxy = await FaultyProxy.start(plane.connection);
  });
  afterEach(async () => {
    await operator?.stop();
    operator = undefined;
    await proxy.stop();
  });
  after(() => plane.stop());

  /** A whole life in a namespace of its own, beside an object that is none of the operator's business. */
  async function live(): Promise<string> {
    number += 1;
    const namespace = `fault-${number}`;
    await createNamespace(plane.client, namespace);
    await plane.client.create(CONFIG_MAPS, bystander(namespace));
    await plane.client.create(STACKS, newStack(namespace, 'stack', SPEC));
    return namespace;
  }

  async function settle(namespace: string, running: TestOperator): Promise<Record<string, unknown>> {
    const observed = async (): Promise<void> => {
      const { status, metadata } = await getStack(plane.client, namespace, 'stack');
      assert.equal(status?.observedGeneration, metadata.generation);
      const made = await snapshot(plane.client, namespace);
      for (const { kind, name } of status?.inventory ?? []) assert.ok(made[`${kind}/${name}`], `${kind}/${name}`);
    };
    const settled = async (): Promise<void> => {
      await eventually(observed, 60_000);
      await running.quiet(500, 60_000);
    };
    await settled();
    await plane.client.mergePatch(STACKS, { namespace, name: 'stack' }, CHANGE);
    await settled();
    return snapshot(plane.client, namespace);
  }

  async function start(options: TestOperatorOptions = {}): Promise<TestOperator> {
    operator = await TestOperator.start(proxy.connection, { pod: `pod-${number}`, ...options });
    return operator;
  }

  async function converges(running: TestOperator): Promise<void> {
    const namespace = await live();
    assert.deepEqual(await settle(namespace, running), expected);
    const { metadata, ...rest } = await plane.client.get(CONFIG_MAPS, bystander(namespace).metadata);
    assert.deepEqual(rest['data'], bystander(namespace)['data']);
    assert.equal(metadata.ownerReferences, undefined);
    assert.equal(metadata.managedFields?.length, 1, 'nobody has written to what is not ours');
  }

  it('converges when every watch is closed every second', async () => {
    const timer = setInterval(() => proxy.closeWatches(), 1000);
    try {
      const running = await start();
      for (let life = 0; life < 3; life += 1) await converges(running);
    } finally {
      clearInterval(timer);
    }
  });

  it('converges when every watch is answered with 410', async () => {
    proxy.inject(({ isWatch }) => (isWatch ? { status: 410 } : 'pass'));
    await converges(await start());
  });

  it('converges when a third of the requests is answered with 429 or 500', async () => {
    // The same at every run, but without a period that would meet the same request of every try.
    let random = 1;
    proxy.inject(() => {
      random = (random * 48_271) % 2_147_483_647;
      const share = random / 2_147_483_647;
      if (share > 1 / 3) return 'pass';
      return share > 1 / 6 ? { status: 429, headers: { 'retry-after': '0' } } : { status: 500 };
    });
    await converges(await start());
  });

  it('converges after the connection was a black hole, and stops its work meanwhile', async () => {
    const running = await start({ watchIdleMs: 2000, requestTimeoutMs: 1500 });
    await converges(running);
    proxy.blackHole(true);
    await eventually(async () => {
      assert.equal(await running.sum('leader_election_master_status'), 0, 'without its Lease it does not work');
    });
    proxy.blackHole(false);
    await converges(running);
  });

  it('sees what has changed when it gets its Lease back, although its watches have died in silence', async () => {
    const running = await start();
    await converges(running);
    proxy.silenceWatches();
    proxy.inject(({ url, isWatch }) => (url.includes('/leases/') || isWatch ? { status: 500 } : 'pass'));
    await eventually(async () => assert.equal(await running.sum('leader_election_master_status'), 0));
    const namespace = await live();
    proxy.inject(() => 'pass');
    assert.deepEqual(await settle(namespace, running), expected);
  });

  it('converges after the API server was killed and started again', async () => {
    const running = await start();
    const namespace = await live();
    const before = await settle(namespace, running);
    await plane.stopApiServer('SIGKILL');
    plane.startApiServer();
    await plane.ready();
    await converges(running);
    assert.deepEqual(await snapshot(plane.client, namespace), before, 'what was settled stays as it is');
  });

  it('converges after etcd was killed and started again', async () => {
    const running = await start();
    const namespace = await live();
    const before = await settle(namespace, running);
    await plane.stopEtcd('SIGKILL');
    plane.startEtcd();
    await plane.ready();
    await converges(running);
    assert.deepEqual(await snapshot(plane.client, namespace), before, 'what was settled stays as it is');
  });

  it('converges when it is killed after its k-th write, for every k', async () => {
    let k = 1;
    while (await interruptedAfter(k)) k += 1;
    assert.ok(k > 10, `a stack takes more than ${k} writes`);
  });

  /** False when the operator had nothing left to write before it could be killed. */
  async function interruptedAfter(k: number): Promise<boolean> {
    const namespace = await live();
    const killer = await FaultyProxy.start(plane.connection);
    killer.dieAfterWrites(k);
    const victim = await TestOperator.start(killer.connection, { pod: `victim-${k}` });
    await eventually(async () => {
      const { status, metadata } = await getStack(plane.client, namespace, 'stack');
      const done = status?.observedGeneration === metadata.generation && victim.running.operator.idle;
      assert.ok(killer.dead || done);
    }, 30_000);
    await victim.stop();
    await killer.stop();
    const successor = await TestOperator.start(plane.connection, { pod: `successor-${k}` });
    assert.deepEqual(await settle(namespace, successor), expected, `killed after write ${k}`);
    await successor.stop();
    return killer.dead;
  }
});

/** Looks as if it were the operator's, which sees it; but no stack wants it, and no stack has made it. */
function bystander(namespace: string): KubernetesObject {
  const labels = { ...MANAGED_BY_OPERATOR, [INSTANCE_LABEL]: 'stack' };
  const metadata = { name: 'stack-inference-stack-bystander', namespace, labels };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { mine: 'yes' } };
}
