import assert from 'node:assert/strict';
import { DEFINITIONS } from '../../../../components/olm/resource-types.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { History } from '../../../support/kubernetes/history.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { optionalCrd } from '../../../support/kubernetes/optional-apis.ts';
import { conditionOf, installCrd, ownedType } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const PAUSED = 'autoscaling.keda.sh/paused';

describe('optional APIs that come and go', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;
  let keda: KubernetesObject;
  let prometheus: KubernetesObject;

  before(async () => {
    keda = await optionalCrd('scaledObject');
    prometheus = await optionalCrd('serviceMonitor');
    plane = await startPlane();
    team = new Team(plane.client, await TestOperator.start(plane.connection));
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  async function recordReplicas(name: string): Promise<History> {
    const ref = { namespace: 'team-a', name };
    return History.record(
      plane.client,
      ownedType('Deployment'),
      ref,
      ({ spec }) => (spec as { replicas: number }).replicas,
    );
  }

  async function becomesMissing(stack: string, reason: string): Promise<void> {
    await eventually(async () => {
      assert.equal(conditionOf(await team.stack(stack), 'OptionalAPIsAvailable').reason, reason);
    });
  }

  it('explains that KEDA is missing, hands the pods over to it when it comes, and takes them back when it goes', async () => {
    const name = 'scaled-inference-stack-chat';
    const without = await team.create('scaled', {
      applications: { chat: { replicaCount: 3, scaling: { enabled: true } } },
    });
    assert.equal(conditionOf(without, 'OptionalAPIsAvailable').reason, 'KEDAMissing');
    assert.match(
      conditionOf(without, 'OptionalAPIsAvailable').message,
      /keda\.sh\/v1alpha1 ScaledObject: install KEDA/,
    );
    assert.equal(conditionOf(without, 'Stalled').status, 'False', 'an absence is no error');
    const replicas = await recordReplicas(name);

    await installCrd(plane.client, keda);
    await eventually(() => team.owned('ScaledObject', name));
    const scaled = await team.settled('scaled');
    assert.equal(conditionOf(scaled, 'OptionalAPIsAvailable').status, 'True');
    assert.deepEqual(replicas.values, ['3'], 'handed over without a dip');

    // A scaler may set what is now its own, and nobody sets it back.
    const ref = { namespace: 'team-a', name };
    await plane.client.mergePatch(ownedType('Deployment'), ref, { spec: { replicas: 5 } }, { fieldManager: 'keda' });
    await team.change('scaled', { applications: { chat: { readerConfig: { maxBatchSize: 2 } } } });
    await eventually(() => assert.deepEqual(replicas.values, ['3', '5']));

    await plane.client.delete(DEFINITIONS, keda.metadata);
    await becomesMissing('scaled', 'KEDAMissing');
    await eventually(() => assert.deepEqual(replicas.values, ['3', '5', '3']));
    replicas.stop();
  });

  it('hands the pods over without a dip when scaling is switched on', async () => {
    await installCrd(plane.client, keda);
    await becomesMissing('scaled', 'Available');
    await team.create('later', { applications: { chat: { replicaCount: 4 } } });
    const replicas = await recordReplicas('later-inference-stack-chat');
    await team.change('later', { applications: { chat: { scaling: { enabled: true } } } });
    await team.owned('ScaledObject', 'later-inference-stack-chat');
    assert.deepEqual(replicas.values, ['4']);
    replicas.stop();
  });

  it('pauses KEDA while an application is suspended, and lets it go on from one pod afterwards', async () => {
    const name = 'later-inference-stack-chat';
    const annotations = async (): Promise<Record<string, string> | undefined> =>
      (await team.owned('ScaledObject', name)).metadata.annotations;
    await team.change('later', { applications: { chat: { suspend: true } } });
    assert.equal(await team.replicas(name), 0);
    assert.equal((await annotations())?.[PAUSED], 'true');
    await team.change('later', { applications: { chat: { suspend: false } } });
    assert.equal(await team.replicas(name), 1);
    assert.equal(await annotations(), undefined);
  });

  it('takes an application without a scaler to zero and back to its own number', async () => {
    await team.create('plain', { applications: { chat: { replicaCount: 2 } } });
    const replicas = await recordReplicas('plain-inference-stack-chat');
    const suspended = await team.change('plain', { applications: { chat: { suspend: true } } });
    assert.equal(suspended.status?.applications?.['chat']?.phase, 'Suspended');
    await team.change('plain', { applications: { chat: { suspend: false } } });
    await eventually(() => assert.deepEqual(replicas.values, ['2', '0', '2']));
    replicas.stop();
  });

  it('explains that the Prometheus operator is missing, uses it when it comes, and does without it when it goes', async () => {
    const name = 'watched-inference-stack-gateway';
    const without = await team.create('watched', { gateway: { exportPrometheusMetrics: true } });
    assert.equal(conditionOf(without, 'OptionalAPIsAvailable').reason, 'PrometheusOperatorMissing');
    assert.equal(conditionOf(without, 'Stalled').status, 'False', 'an absence is no error');

    await installCrd(plane.client, prometheus);
    const monitor = await eventually(() => team.owned('ServiceMonitor', name));
    const { selector } = monitor['spec'] as { selector: { matchLabels: Record<string, string> } };
    assert.equal(selector.matchLabels['app.kubernetes.io/instance'], 'watched', 'it selects this gateway and no other');
    const present = await team.settled('watched');
    assert.equal(conditionOf(present, 'OptionalAPIsAvailable').status, 'True');
    assert.ok(present.status?.inventory?.some(({ kind }) => kind === 'ServiceMonitor'));

    await plane.client.delete(DEFINITIONS, prometheus.metadata);
    await becomesMissing('watched', 'PrometheusOperatorMissing');
    assert.equal(conditionOf(await team.settled('watched'), 'Stalled').status, 'False');

    await installCrd(plane.client, prometheus);
    await eventually(() => team.owned('ServiceMonitor', name));
  });

  it('takes no absence for an error', async () => {
    assert.equal(await team.operator.reconcileErrors(), 0);
  });

  it('removes what was made for an optional API when the stack no longer uses it', async () => {
    await team.change('watched', { gateway: { exportPrometheusMetrics: false } });
    const left = await plane.client.listAll(ownedType('ServiceMonitor'));
    assert.deepEqual(left, []);
  });
});
