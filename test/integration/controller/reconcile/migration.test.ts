import assert from 'node:assert/strict';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject, ObjectMeta } from '../../../../packages/kube/object.ts';
import { CHART_0765D06, readCases, readFixture } from '../../../conformance/packages/render/case.ts';
import { createIngressClass } from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { optionalCrd } from '../../../support/kubernetes/optional-apis.ts';
import { conditionOf, getStack, installCrd, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';

const CASE = 'everything-at-once';

describe('a stack of the public chart’s operator', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let operator: TestOperator;
  let stack: KubernetesObject;
  const made: KubernetesObject[] = [];
  const refused: string[] = [];

  before(async () => {
    plane = await startPlane();
    for (const name of ['scaledObject', 'serviceMonitor'] as const)
      await installCrd(plane.client, await optionalCrd(name));
    await createIngressClass(plane.client, 'nginx', true);
    const values = readCases().get(CASE)?.values ?? {};
    // Nobody looks after it yet: it has no label that names an operator.
    const unlabelled = newStack('team-a', 'chat', values);
    unlabelled.metadata.labels = {};
    stack = await plane.client.create(STACKS, unlabelled);
    for (const object of readFixture(CHART_0765D06, CASE)) await createAsHelm(object);
    operator = await TestOperator.start(plane.connection);
  });
  after(async () => {
    await operator.stop();
    await plane.stop();
  });

  /** The helm-operator creates what the chart renders, and makes the stack its controller. */
  async function createAsHelm(object: KubernetesObject): Promise<void> {
    const { apiVersion, kind } = stack;
    const { name, uid = '' } = stack.metadata;
    const metadata: ObjectMeta = {
      ...object.metadata,
      namespace: 'team-a',
      annotations: { ...object.metadata.annotations, 'meta.helm.sh/release-name': 'chat' },
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    };
    try {
      made.push(await plane.client.create(ownedType(object.kind), { ...object, metadata }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push(object.kind);
    }
  }

  it('had no Ingress, since the chart’s is not valid', () => {
    assert.deepEqual(refused, ['Ingress']);
  });

  it('is taken over by its label: every object in place, and nothing of the chart left in them', async () => {
    const labels = { operatorVersion: 'v1' };
    await plane.client.mergePatch(STACKS, stack.metadata, { metadata: { labels } });
    await eventually(async () => {
      const live = await getStack(plane.client, 'team-a', 'chat');
      assert.equal(conditionOf(live, 'Accepted').status, 'True');
      assert.equal(conditionOf(live, 'Stalled').status, 'False');
    });
    await operator.quiet();
    for (const { kind, metadata } of made) {
      const live = await plane.client.get(ownedType(kind), metadata);
      assert.equal(live.metadata.uid, metadata.uid, `${kind} ${metadata.name} was made anew`);
      assert.deepEqual(
        live.metadata.ownerReferences?.map(({ uid }) => uid),
        [stack.metadata.uid],
      );
      assert.doesNotMatch(
        JSON.stringify({ ...live, metadata: { ...live.metadata, managedFields: [] } }),
        /helm|chmod/i,
      );
    }
    await plane.client.get(ownedType('Ingress'), { namespace: 'team-a', name: 'chat-inference-stack-gateway' });
  });

  it('is then left alone', async () => {
    const writes = await operator.writes();
    await plane.client.mergePatch(STACKS, stack.metadata, { metadata: { annotations: { touched: 'yes' } } });
    await operator.quiet(1000);
    assert.equal(await operator.writes(), writes);
  });
});
