import assert from 'node:assert/strict';
import type { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { FaultyProxy } from '../../support/kubernetes/faulty-proxy.ts';
import { minimalCrd } from '../../support/kubernetes/minimal-crd.ts';
import { TestOperator } from '../../support/operator/operator.ts';
import { conditionOf, installCrd, ownedType } from '../../support/operator/stack-api.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';
import { Team } from '../../support/people/team.ts';

const DEPLOYMENTS = ownedType('Deployment');
const CHAT = { namespace: 'team-a', name: 'scaled-inference-stack-chat' };

describe('an optional API that answers with errors', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let proxy: FaultyProxy;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    await installCrd(plane.client, minimalCrd(ownedType('ScaledObject')));
    proxy = await FaultyProxy.start(plane.connection);
    team = new Team(plane.client, await TestOperator.start(plane.connection, { pod: 'before' }));
    await team.create('scaled', { applications: { chat: { replicaCount: 3, scaling: { enabled: true } } } });
    await plane.client.mergePatch(DEPLOYMENTS, CHAT, { spec: { replicas: 7 } }, { fieldManager: 'keda' });
    await team.operator.stop();
    proxy.inject(({ url }) => (url.startsWith('/apis/keda.sh/') ? { status: 503 } : 'pass'));
    team.operator = await TestOperator.start(proxy.connection, { pod: 'after' });
  });
  after(async () => {
    await team.operator.stop();
    await proxy.stop();
    await plane.stop();
  });

  it('keeps no operator from starting, nor from serving the stacks that do not use it', async () => {
    await team.create('plain', { applications: { chat: {} } });
    await plane.client.get(DEPLOYMENTS, { namespace: 'team-a', name: 'plain-inference-stack-chat' });
    assert.deepEqual(team.operator.running.ready(), {});
  });

  it('is not taken for one that is missing: the pods that it has scaled stay, and what does not concern it changes', async () => {
    const changed = await team.change('scaled', { applications: { chat: { readerConfig: { maxBatchSize: 2 } } } });
    const { reason, message } = conditionOf(changed, 'OptionalAPIsAvailable');
    assert.equal(reason, 'KEDAUnavailable');
    assert.match(message, /does not answer for keda\.sh\/v1alpha1 ScaledObject.*stay as they are/);
    const { spec } = await plane.client.get(DEPLOYMENTS, CHAT);
    assert.equal((spec as { replicas: number }).replicas, 7);
    assert.ok(changed.status?.inventory?.some(({ kind }) => kind === 'ScaledObject'));
    assert.match(JSON.stringify(await team.owned('ConfigMap', CHAT.name)), /max_batch_size: 2/);
    assert.equal(await team.operator.reconcileErrors(), 0);
  });

  it('is used again when it answers', async () => {
    const scaling = { enabled: true, spec: { maxReplicaCount: 9 } };
    await team.change('scaled', { applications: { chat: { scaling } } });
    proxy.inject(() => 'pass');
    await eventually(async () => {
      const { spec } = await team.owned('ScaledObject', CHAT.name);
      assert.equal((spec as { maxReplicaCount: number }).maxReplicaCount, 9);
    }, 30_000);
    assert.equal(conditionOf(await team.settled('scaled'), 'OptionalAPIsAvailable').status, 'True');
    const { spec } = await plane.client.get(DEPLOYMENTS, CHAT);
    assert.equal((spec as { replicas: number }).replicas, 7);
  });
});
