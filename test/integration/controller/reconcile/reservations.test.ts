import assert from 'node:assert/strict';
import {
  createGpuNode,
  createPod,
  podLabels,
  readyDeploymentStatus,
} from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

/** Without Kubernetes' own controllers: no pod comes or goes unless the test says so. */
describe('GPUs that a rollout has reserved', function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    await createGpuNode(plane.client, 'n1', 'H100', 2);
    team = new Team(plane.client, await TestOperator.start(plane.connection));
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  async function gpusAvailable(stack: string): Promise<string> {
    return conditionOf(await team.stack(stack), 'GPUsAvailable').status;
  }

  it('are had by a stack that waits for them as soon as the rollout is given up, though no pod or node changes', async () => {
    const llm = { gpu: { count: 1, product: 'H100' } };
    await team.create('first', { gateway: { replicaCount: 0 }, applications: { llm } });
    const name = 'first-inference-stack-llm';
    await createPod(plane.client, {
      namespace: 'team-a',
      name,
      labels: podLabels('first', 'llm'),
      node: 'n1',
      gpus: 1,
    });
    const { metadata } = await team.owned('Deployment', name);
    const status = readyDeploymentStatus(metadata.generation ?? 1, 1);
    await plane.client.mergePatch(ownedType('Deployment'), metadata, status, { subresource: 'status' });
    await team.settled('first');

    // A new pod beside the old one would take the second GPU.
    const changed = await team.change('first', { applicationTemplate: { readerConfig: { maxBatchSize: 7 } } });
    assert.equal(changed.status?.applications?.['llm']?.rollout, 'surge');
    await team.create('second', { gateway: { replicaCount: 0 }, applications: { llm } });
    assert.equal(await gpusAvailable('second'), 'False');

    await plane.client.delete(STACKS, changed.metadata);
    await eventually(async () => assert.equal(await gpusAvailable('second'), 'True'));
  });
});
