import assert from 'node:assert/strict';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const DEPLOYMENTS = ownedType('Deployment');

/** An application of the chart, whose Deployment says nothing of how pods are replaced. */
function deployment(stack: string): KubernetesObject {
  const selector = {
    'app.kubernetes.io/instance': stack,
    'app.kubernetes.io/name': 'inference-stack',
    'app.kubernetes.io/component': 'application-llm',
  };
  const name = `${stack}-inference-stack-llm`;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'team-a', labels: { ...selector, 'app.kubernetes.io/managed-by': 'Helm' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: selector },
      template: { metadata: { labels: selector }, spec: { containers: [{ name, image: 'takeoff:1' }] } },
    },
  };
}

describe('a Deployment that is to recreate its pods', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    team = new Team(plane.client, await TestOperator.start(plane.connection));
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  async function becomesRecreate(stack: string): Promise<void> {
    await eventually(async () => {
      const live = await plane.client.get(DEPLOYMENTS, deployment(stack).metadata);
      assert.deepEqual((live['spec'] as { strategy: object }).strategy, { type: 'Recreate' });
      assert.equal(live.metadata.ownerReferences?.[0]?.kind, 'InferenceStack');
    });
    assert.equal(conditionOf(await team.settled(stack), 'Stalled').status, 'False');
  }

  async function adopt(stack: string): Promise<void> {
    const spec = { applications: { llm: { rollout: 'recreate' as const } } };
    await plane.client.create(STACKS, newStack('team-a', stack, spec));
    await becomesRecreate(stack);
  }

  it('is adopted from whoever created it', async () => {
    await plane.client.create(DEPLOYMENTS, deployment('created'));
    await adopt('created');
  });

  it('is adopted from whoever applied it, though nobody has set what the API server filled in', async () => {
    await plane.client.apply(DEPLOYMENTS, deployment('applied'), { fieldManager: 'helm' });
    await adopt('applied');
  });

  it('loses what somebody has set by hand for a rolling update', async () => {
    await team.create('edited', { applications: { llm: { rollout: 'surge' } } });
    const patch = { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } };
    await plane.client.mergePatch(DEPLOYMENTS, deployment('edited').metadata, patch, { fieldManager: 'kubectl-edit' });
    await team.change('edited', { applications: { llm: { rollout: 'recreate' } } });
    await becomesRecreate('edited');
    await team.change('edited', { applications: { llm: { rollout: 'surge' } } });
    await team.change('edited', { applications: { llm: { rollout: 'recreate' } } });
    await becomesRecreate('edited');
  });
});
