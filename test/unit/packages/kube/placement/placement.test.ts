import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placementOf } from '../../../../../packages/kube/placement/placement.ts';
import { planApplication } from '../../../../../controller/src/reconcile/gpu/plan.ts';
import { GPU } from '../../../../support/kubernetes/cluster-objects.ts';
import { capacityOf, mismatch, nodeWith } from '../../../../support/kubernetes/nodes.ts';

const NODE = nodeWith('a', 1, { labels: { zone: 'x' }, taints: [{ key: GPU, effect: 'NoSchedule' }] });

function affinityOf(nodeSelectorTerms: unknown): object {
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

describe('where a pod may run', () => {
  it('is read from its spec', () => {
    const tolerations = [{ key: GPU, operator: 'Exists' }];
    const inZone = (zone: string): object =>
      affinityOf([{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }]);
    assert.equal(mismatch(NODE, placementOf({ tolerations, affinity: inZone('x') })), undefined);
    assert.equal(mismatch(NODE, placementOf({ tolerations, affinity: inZone('y') })), 'lacks the label zone=y');
    assert.match(mismatch(NODE, placementOf({})) ?? '', /has the taint/);
  });

  it('can be planned with whatever somebody has written for an affinity, such as one value where a list is due', () => {
    const strayValue = affinityOf([{ matchExpressions: [{ key: 'zone', operator: 'In', values: 'x' }] }]);
    const anything = fc.jsonValue({ maxDepth: 2 });
    const requirement = fc.record({
      key: anything,
      operator: fc.constantFrom('In', 'NotIn', 'Gt', 5),
      values: anything,
    });
    const term = fc.oneof(anything, fc.record({ matchExpressions: fc.oneof(anything, fc.array(requirement)) }));
    const affinity = fc.oneof(fc.constant(strayValue), anything, fc.oneof(anything, fc.array(term)).map(affinityOf));
    const gpu = { resourceName: GPU, count: 1 };
    fc.assert(
      fc.property(affinity, fc.oneof(anything, fc.array(anything)), (written, tolerations) => {
        const placement = placementOf({ affinity: written, tolerations });
        const demand = { name: 'llm', gpu, placement, replicas: 1, placed: 0 };
        assert.ok(planApplication(demand, capacityOf([NODE])).slots.length <= 1);
      }),
    );
  });
});
