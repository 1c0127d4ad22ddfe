import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { MODEL_ORCHESTRA } from '../../../../packages/api/constants.ts';
import { Client } from '../../../../packages/kube/client/client.ts';
import { isForbidden } from '../../../../packages/kube/client/api-error.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { grantOperatorRights } from '../../../support/operator/operator-rights.ts';
import { prepareLeases, TestOperator } from '../../../support/operator/operator.ts';
import {
  conditionOf,
  createNamespace,
  getStack,
  installCrd,
  newStack,
  ownedType,
  stackCrd,
  STACKS,
  stackType,
} from '../../../support/operator/stack-api.ts';

describe('an operator that starts', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let operator: TestOperator;

  before(async () => {
    plane = await ControlPlane.start();
    await createNamespace(plane.client, 'team-a');
  });
  after(async () => {
    await operator.stop();
    await plane.stop();
  });

  it('is not ready without its CRD or its Lease and says what is missing, until they are there', async () => {
    operator = await TestOperator.start(plane.connection);
    const ready = async (): Promise<{ status: number; text: string }> => {
      const response = await fetch(`http://127.0.0.1:${operator.running.ports.health}/readyz`);
      return { status: response.status, text: await response.text() };
    };
    await eventually(async () => {
      const { status, text } = await ready();
      assert.equal(status, 503);
      assert.match(text, /crd: the cluster does not serve InferenceStack/);
      assert.match(text, /lease: no answer about Lease inference-stack-operator-system\/inference-stack-operator-v1/);
    });
    const health = await fetch(`http://127.0.0.1:${operator.running.ports.health}/healthz`);
    assert.equal(health.status, 200, 'waiting is no reason to be restarted');
    await installCrd(plane.client, await stackCrd());
    await prepareLeases(plane.client, [1]);
    await eventually(async () => assert.deepEqual(await ready(), { status: 200, text: 'ok\n' }));
    await plane.client.create(STACKS, newStack('team-a', 'first', {}));
    await eventually(async () => assert.ok((await getStack(plane.client, 'team-a', 'first')).status?.inventory));
    await operator.stop();
  });

  it('serves the earlier kind as soon as the platform installs it, with the file that is shipped', async () => {
    const watches = await readFile(new URL('../../../../controller/watches.yaml', import.meta.url), 'utf8');
    operator = await TestOperator.start(plane.connection, { watches, pod: 'shipped' });
    await eventually(() => assert.deepEqual(operator.running.ready(), {}));
    const { kind } = MODEL_ORCHESTRA;
    await installCrd(plane.client, await stackCrd(MODEL_ORCHESTRA));
    await plane.client.create(stackType(MODEL_ORCHESTRA), { ...newStack('team-a', 'earlier', {}), kind });
    await eventually(async () => {
      const gateway = { namespace: 'team-a', name: 'earlier-inference-stack-gateway' };
      const { metadata } = await plane.client.get(ownedType('Deployment'), gateway);
      assert.equal(metadata.ownerReferences?.[0]?.kind, kind);
    });
    await operator.stop();
  });

  it('does everything with the rights of its bundle, and has none to read Secrets', async () => {
    await grantOperatorRights(plane.client, 'the-operator');
    const connection = await plane.connectionFor('the-operator');
    operator = await TestOperator.start(connection, { pod: 'restricted' });
    await eventually(() => assert.deepEqual(operator.running.ready(), {}));
    await plane.client.create(
      STACKS,
      newStack('team-a', 'full', {
        gateway: { ingress: { enabled: true, hosts: [{ host: 'x.example', paths: [{ path: '/' }] }] } },
        applications: { a: { modelCache: { size: '1Gi', deletionPolicy: 'Delete' } }, b: { gpu: { count: 1 } } },
      }),
    );
    await eventually(async () => {
      const stack = await getStack(plane.client, 'team-a', 'full');
      assert.equal(stack.status?.observedGeneration, 1);
      assert.equal(conditionOf(stack, 'Stalled').message, 'Nothing stands in the way.');
    });
    const open = { engine: 'vllm', model: { name: 'm/chat' } } as const;
    await plane.client.create(STACKS, newStack('team-a', 'open', { applications: { a: open } }));
    await eventually(async () => {
      const stack = await getStack(plane.client, 'team-a', 'open');
      assert.equal(conditionOf(stack, 'Stalled').message, 'Nothing stands in the way.');
      assert.ok(stack.status?.inventory?.some(({ kind }) => kind === 'NetworkPolicy'));
    });
    await plane.client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'open' },
      { spec: { networkPolicy: { enabled: false } } },
    );
    await eventually(async () => {
      const { status } = await getStack(plane.client, 'team-a', 'open');
      assert.equal(status?.observedGeneration, 2);
      assert.ok(!status.inventory?.some(({ kind }) => kind === 'NetworkPolicy'));
    });
    await plane.client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'full' },
      { spec: { applications: { a: null } } },
    );
    await eventually(async () => {
      const { status } = await getStack(plane.client, 'team-a', 'full');
      assert.equal(status?.observedGeneration, 2);
      assert.ok(!status.inventory?.some(({ name }) => name.endsWith('-a')));
    });
    assert.equal(await operator.sum('rest_client_requests_total', { code: '403' }), 0);
    const secrets = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
    const client = new Client(connection);
    await assert.rejects(client.list(secrets, { namespace: 'team-a' }), isForbidden);
    client.close();
  });
});
