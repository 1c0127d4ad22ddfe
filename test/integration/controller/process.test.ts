import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODEL_ORCHESTRA } from '../../../packages/api/constants.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';
import { leaseName } from '../../../packages/api/operator-names.ts';
import { EVENTS } from '../../../packages/kube/events.ts';
import { LEASES, type Lease } from '../../../packages/kube/lease/lease-watch.ts';
import { DEFAULT_LEASE_TIMES } from '../../../packages/kube/lease/lease.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import type { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { OperatorProcess, type OperatorProcessOptions } from '../../support/operator/operator-process.ts';
import { OPERATOR_NAMESPACE } from '../../support/operator/operator.ts';
import {
  conditionOf,
  getStack,
  installCrd,
  newStack,
  ownedType,
  stackCrd,
  STACKS,
  stackType,
} from '../../support/operator/stack-api.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';

const ORCHESTRAS = stackType(MODEL_ORCHESTRA);
const CONFIG_MAPS = ownedType('ConfigMap');
const READY = { status: 200, text: 'ok\n' };
/** Beyond the Lease itself: two looks at it, and what a busy machine adds. */
const SLACK_MS = 2 * DEFAULT_LEASE_TIMES.retryMs + 3000;

describe('the operator as a process of its own', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let directory: string;
  const running = new Set<OperatorProcess>();

  before(async () => {
    plane = await startPlane();
    await installCrd(plane.client, await stackCrd(MODEL_ORCHESTRA));
    directory = await mkdtemp(join(tmpdir(), 'operator-'));
  });
  afterEach(async () => {
    await Promise.all([...running].map((operator) => operator.stop('SIGKILL')));
    running.clear();
  });
  after(async () => {
    await plane.stop();
    await rm(directory, { recursive: true });
  });

  /** `namespace` is the one in which it is installed, which makes it another installation. */
  async function start(
    namespace: string,
    options: Partial<OperatorProcessOptions> & { pod: string },
  ): Promise<OperatorProcess> {
    const kubeconfig = await plane.kubeconfig({ ...plane.connection, namespace });
    const operator = await OperatorProcess.start({ kubeconfig, directory, ...options });
    running.add(operator);
    await eventually(async () => assert.deepEqual(await operator.readiness(), READY));
    return operator;
  }

  async function holder(): Promise<string> {
    const lease = await plane.client.get(LEASES, { namespace: OPERATOR_NAMESPACE, name: leaseName(1) });
    return (lease as Lease).spec?.holderIdentity ?? '';
  }

  async function conflicts(operator: OperatorProcess): Promise<number> {
    return operator.sum('inference_stack_operator_conflict');
  }

  function orchestra(name: string): KubernetesObject {
    return { ...newStack('team-a', name, { applications: { chat: {}, gone: {} } }), kind: MODEL_ORCHESTRA.kind };
  }

  it('serves a ModelOrchestra as it does an InferenceStack, when the watches file names both', async () => {
    const watchesFile = join(directory, 'watches.yaml');
    const kinds = [{ kind: 'InferenceStack' }, { kind: 'ModelOrchestra' }];
    await writeFile(watchesFile, JSON.stringify(kinds.map((kind) => ({ version: 'v1beta1', ...kind }))));
    const operator = await start(OPERATOR_NAMESPACE, { pod: 'both', watchesFile });
    const { metadata } = await plane.client.create(ORCHESTRAS, orchestra('old'));
    await plane.client.create(STACKS, newStack('team-a', 'new', { applications: { chat: {} } }));
    const read = async (): Promise<InferenceStack> =>
      (await plane.client.get(ORCHESTRAS, metadata)) as unknown as InferenceStack;
    const observed = async (): Promise<InferenceStack> =>
      eventually(async () => {
        const stack = await read();
        assert.equal(stack.status?.observedGeneration, stack.metadata.generation);
        return stack;
      });
    for (const { kind, name } of (await observed()).status?.inventory ?? []) {
      const object = await eventually(() => plane.client.get(ownedType(kind), { namespace: 'team-a', name }));
      assert.equal(object.metadata.ownerReferences?.[0]?.uid, metadata.uid, `${kind} ${name}`);
    }
    await eventually(async () => {
      assert.equal((await getStack(plane.client, 'team-a', 'new')).status?.observedGeneration, 1);
    });

    const ref = { namespace: 'team-a', name: 'old-inference-stack-chat' };
    const { data } = await plane.client.get(CONFIG_MAPS, ref);
    await plane.client.mergePatch(CONFIG_MAPS, ref, { data: { 'config.yaml': 'spoiled' } });
    await eventually(async () => assert.deepEqual((await plane.client.get(CONFIG_MAPS, ref))['data'], data));
    await plane.client.mergePatch(ORCHESTRAS, metadata, { spec: { applications: { gone: null } } });
    const pruned = await observed();
    assert.deepEqual(Object.keys(pruned.status?.applications ?? {}), ['chat']);

    await plane.client.create(STACKS, newStack('team-a', 'old', {}));
    await eventually(async () => {
      const { reason, message } = conditionOf(await getStack(plane.client, 'team-a', 'old'), 'Stalled');
      assert.equal(reason, 'NameTaken', 'two kinds of one name do not fight');
      assert.match(message, /is also the name of ModelOrchestra team-a\/old/);
    });
    assert.equal(await operator.stop(), 0, 'it ends in good order when it is asked to');
    assert.equal(await holder(), '', 'and gives its Lease back');
  });

  it('stays idle and ready beside another installation of its major, and takes over within the lease time', async () => {
    const first = await start(OPERATOR_NAMESPACE, { pod: 'first' });
    await eventually(async () => assert.match(await holder(), /_first$/));
    const second = await start('elsewhere', { pod: 'second' });
    await eventually(async () => assert.equal(await conflicts(second), 1));
    assert.equal(await conflicts(first), 0);
    await eventually(async () => {
      const events = await plane.client.listAll(EVENTS, { namespace: OPERATOR_NAMESPACE });
      const [conflict] = events.filter((event) => event['reason'] === 'OperatorConflict');
      assert.match(
        String(conflict?.['message']),
        /elsewhere\/\S+ stays idle, because inference-stack-operator-system\//,
      );
    });
    await plane.client.create(STACKS, newStack('team-a', 'served', {}));
    await eventually(async () => {
      const { status } = await getStack(plane.client, 'team-a', 'served');
      assert.equal(status?.claim?.operator.split('/')[0], OPERATOR_NAMESPACE);
    });
    assert.equal(await second.sum('controller_runtime_reconcile_total'), 0, 'the second one has not worked');

    await first.stop('SIGKILL');
    const killed = performance.now();
    await eventually(async () => assert.match(await holder(), /_second$/), 60_000);
    const seconds = (performance.now() - killed) / 1000;
    assert.ok(seconds * 1000 < DEFAULT_LEASE_TIMES.leaseMs + SLACK_MS, `it took ${seconds.toFixed(1)} s`);
    await eventually(async () => {
      assert.equal(await conflicts(second), 0);
      const { status } = await getStack(plane.client, 'team-a', 'served');
      assert.equal(status?.claim?.operator.split('/')[0], 'elsewhere');
    });
  });

  it('does not take the next version of its own installation for a conflict, and hands over to it at once', async () => {
    const old = await start(OPERATOR_NAMESPACE, { pod: 'old' });
    await eventually(async () => assert.match(await holder(), /_old$/), 60_000);
    const next = await start(OPERATOR_NAMESPACE, { pod: 'next', version: '1.1.0' });
    assert.equal(await conflicts(next), 0);
    assert.equal(await old.stop(), 0);
    const stopped = performance.now();
    await eventually(async () => assert.match(await holder(), /_next$/));
    const seconds = (performance.now() - stopped) / 1000;
    assert.ok(seconds * 1000 < SLACK_MS, `it took ${seconds.toFixed(1)} s`);
  });
});
