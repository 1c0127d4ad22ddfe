import assert from 'node:assert/strict';
import { PODS } from '../../../../packages/kube/resource-types.ts';
import { EVENTS } from '../../../../packages/kube/events.ts';
import { createPod, podLabels, setPodStatus } from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { grantOperatorRights } from '../../../support/operator/operator-rights.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const MISSING = 'MountVolume.SetUp failed for volume "token" : secret "hf-token" not found';

/** As kubelets report it; that they do is tested in the embedded cluster. */
describe('what a stack refers to and does not exist', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    await grantOperatorRights(plane.client, 'operator');
    team = new Team(plane.client, await TestOperator.start(await plane.connectionFor('operator')));
    await team.create('chat', { applications: { llm: {} } });
    const labels = podLabels('chat', 'llm');
    await createPod(plane.client, { namespace: 'team-a', name: 'llm-1', labels, node: 'some' });
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  async function waits(reason: string, conditions: object[] = []): Promise<void> {
    const container = { name: 'main', ready: false, restartCount: 0, image: '', imageID: '' };
    const containerStatuses = [{ ...container, state: { waiting: { reason } } }];
    await setPodStatus(plane.client, 'team-a', 'llm-1', { phase: 'Pending', containerStatuses, conditions });
  }

  async function problemIs(pattern: RegExp): Promise<void> {
    await eventually(async () => {
      const stack = await team.stack('chat');
      assert.match(stack.status?.applications?.['llm']?.lastProblem ?? '', pattern);
      assert.match(conditionOf(stack, 'ApplicationsReady').message, pattern);
    });
  }

  it('is named, when a volume waits for it, by the Events about the pod', async () => {
    const { metadata } = await plane.client.get(PODS, { namespace: 'team-a', name: 'llm-1' });
    const about = { kind: 'Pod', namespace: 'team-a', name: 'llm-1', uid: metadata.uid };
    await plane.client.create(EVENTS, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'llm-1.mount', namespace: 'team-a' },
      involvedObject: about,
      type: 'Warning',
      reason: 'FailedMount',
      message: MISSING,
      lastTimestamp: new Date().toISOString(),
    });
    await waits('ContainerCreating');
    await problemIs(/Pod llm-1 cannot start: .*secret "hf-token" not found/);
  });

  it('is forgotten as the reason once the pod goes on', async () => {
    await waits('ContainerCreating', [{ type: 'PodReadyToStartContainers', status: 'True' }]);
    await eventually(async () => {
      assert.doesNotMatch(conditionOf(await team.stack('chat'), 'ApplicationsReady').message, /hf-token/);
    });
  });

  it('needs no right to read Secrets, and no request that is refused', async () => {
    assert.equal(await team.operator.sum('rest_client_requests_total', { code: '403' }), 0);
  });
});
