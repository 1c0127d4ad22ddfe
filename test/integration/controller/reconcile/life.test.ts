import assert from 'node:assert/strict';
import { isNotFound } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf, getStack, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';

const DEPLOYMENTS = ownedType('Deployment');
const CONFIG_MAPS = ownedType('ConfigMap');

describe('the life of a stack', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let operator: TestOperator;

  before(async () => {
    plane = await startPlane();
    operator = await TestOperator.start(plane.connection, { absentRetryMs: 60_000 });
  });
  after(async () => {
    await operator.stop();
    await plane.stop();
  });

  it('makes every object that the stack consists of, and says so', async () => {
    const { client } = plane;
    await client.create(
      STACKS,
      newStack('team-a', 'demo', {
        gateway: { replicaCount: 2 },
        applications: {
          chat: { readerConfig: { modelName: 'm/chat' }, resources: { limits: { cpu: '1000m', memory: '1024Mi' } } },
          embed: { readerConfig: { modelName: 'm/embed' } },
        },
      }),
    );
    await eventually(async () =>
      assert.equal((await getStack(client, 'team-a', 'demo')).status?.observedGeneration, 1),
    );
    await operator.quiet();
    const stack = await getStack(client, 'team-a', 'demo');
    assert.equal(conditionOf(stack, 'Accepted').status, 'True');
    assert.equal(conditionOf(stack, 'Ready').status, 'False');
    assert.equal(conditionOf(stack, 'Progressing').status, 'True');
    assert.equal(stack.status?.claim?.version, '1.0.0');
    for (const { kind, name } of stack.status.inventory ?? []) {
      const object = await client.get(ownedType(kind), { namespace: 'team-a', name });
      assert.equal(object.metadata.ownerReferences?.[0]?.uid, stack.metadata.uid, `${kind} ${name}`);
    }
    assert.ok((stack.status.inventory ?? []).length >= 11);
    assert.equal(stack.status.applications?.['chat']?.model, 'm/chat');
  });

  it('owns its status as a whole, so that the API server keeps no list of its fields', async () => {
    const { metadata } = await plane.client.get(STACKS, { namespace: 'team-a', name: 'demo' });
    const written = metadata.managedFields?.find(({ subresource }) => subresource === 'status');
    assert.deepEqual(written?.fieldsV1, { 'f:status': {} });
  });

  it('writes nothing and asks nothing when nothing differs', async () => {
    await operator.quiet();
    const before = await operator.requests();
    // A change that concerns nobody wakes the operator up.
    await plane.client.mergePatch(
      DEPLOYMENTS,
      { namespace: 'team-a', name: 'demo-inference-stack-chat' },
      { metadata: { annotations: { theirs: 'yes' } } },
    );
    await operator.quiet();
    const after = await operator.requests();
    // The Lease is renewed all the time, which is the only PUT.
    assert.deepEqual({ ...after, PUT: 0 }, { ...before, PUT: 0 });
  });

  it('writes nothing after a restart', async () => {
    await operator.stop();
    operator = await TestOperator.start(plane.connection, { pod: 'pod-1' });
    await eventually(() => assert.deepEqual(operator.running.ready(), {}));
    await operator.quiet(1000);
    assert.equal(await operator.writes(), 0);
  });

  it('repairs what somebody has changed or deleted', async () => {
    const { client } = plane;
    const ref = { namespace: 'team-a', name: 'demo-inference-stack-chat' };
    const before = await client.get(CONFIG_MAPS, ref);
    await client.mergePatch(CONFIG_MAPS, ref, { data: { 'config.yaml': 'spoiled' } });
    await eventually(async () => assert.deepEqual((await client.get(CONFIG_MAPS, ref))['data'], before['data']));
    await client.delete(CONFIG_MAPS, ref);
    await eventually(async () => assert.deepEqual((await client.get(CONFIG_MAPS, ref))['data'], before['data']));
    await client.mergePatch(CONFIG_MAPS, ref, { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } });
    await eventually(async () => {
      const { metadata } = await client.get(CONFIG_MAPS, ref);
      assert.equal(metadata.labels?.['app.kubernetes.io/managed-by'], 'inference-stack-operator');
    });
  });

  it('rolls exactly the pods whose configuration has changed', async () => {
    const { client } = plane;
    const hashes = async (): Promise<Record<string, string>> => {
      const list = await client.listAll(DEPLOYMENTS, { namespace: 'team-a' });
      return Object.fromEntries(list.map((object) => [object.metadata.name, JSON.stringify(templateOf(object))]));
    };
    await operator.quiet();
    const before = await hashes();
    await client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'demo' },
      { spec: { applications: { chat: { readerConfig: { maxBatchSize: 4 } } } } },
    );
    await eventually(async () =>
      assert.notEqual((await hashes())['demo-inference-stack-chat'], before['demo-inference-stack-chat']),
    );
    await operator.quiet();
    const afterReader = await hashes();
    assert.equal(afterReader['demo-inference-stack-embed'], before['demo-inference-stack-embed']);
    assert.equal(afterReader['demo-inference-stack-gateway'], before['demo-inference-stack-gateway']);
    await client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'demo' },
      { spec: { gateway: { config: { maxUserBatchSize: 7 } } } },
    );
    await eventually(async () =>
      assert.notEqual((await hashes())['demo-inference-stack-gateway'], before['demo-inference-stack-gateway']),
    );
    await operator.quiet();
    const afterGateway = await hashes();
    assert.equal(afterGateway['demo-inference-stack-chat'], afterReader['demo-inference-stack-chat']);
  });

  it('prunes what the stack no longer wants, and nothing else', async () => {
    const { client } = plane;
    await client.mergePatch(STACKS, { namespace: 'team-a', name: 'demo' }, { spec: { applications: { embed: null } } });
    const ref = { namespace: 'team-a', name: 'demo-inference-stack-embed' };
    await eventually(() => assert.rejects(client.get(DEPLOYMENTS, ref), isNotFound));
    await eventually(() => assert.rejects(client.get(CONFIG_MAPS, ref), isNotFound));
    await client.get(DEPLOYMENTS, { namespace: 'team-a', name: 'demo-inference-stack-chat' });
    await operator.quiet();
    const { status } = await getStack(client, 'team-a', 'demo');
    assert.ok(!status?.inventory?.some(({ name }) => name.endsWith('embed')));
    assert.deepEqual(Object.keys(status?.applications ?? {}), ['chat']);
  });
});

function templateOf(object: KubernetesObject): unknown {
  return (object['spec'] as { template: unknown }).template;
}
