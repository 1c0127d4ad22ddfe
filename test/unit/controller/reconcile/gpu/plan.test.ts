import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planApplication, type GpuDemand } from '../../../../../controller/src/reconcile/gpu/plan.ts';
import type { Placement } from '../../../../../packages/kube/placement/placement.ts';
import { GPU } from '../../../../support/kubernetes/cluster-objects.ts';
import { capacityOf, mismatch, nodeWith as node, podOn as pod, PRODUCT } from '../../../../support/kubernetes/nodes.ts';

function demand(more: Partial<GpuDemand> = {}): GpuDemand {
  return {
    name: 'llm',
    gpu: { resourceName: GPU, count: 2 },
    placement: { nodeSelector: { [PRODUCT]: 'A100' } },
    replicas: 1,
    placed: 0,
    ...more,
  };
}

describe('placing pods on nodes', () => {
  const a100 = node('a', 8);

  it('follows node selectors, required affinity, taints, cordons and readiness', () => {
    assert.equal(mismatch(a100, { nodeSelector: { [PRODUCT]: 'A100' } }), undefined);
    assert.match(mismatch(a100, { nodeSelector: { zone: 'x' } }) ?? '', /lacks the label zone=x/);
    const terms = [{ matchExpressions: [{ key: PRODUCT, operator: 'In', values: ['H100'] }] }];
    assert.match(mismatch(a100, { terms }) ?? '', /lacks the label nvidia.com\/gpu.product=H100/);
    const tainted = node('t', 8, { taints: [{ key: GPU, value: 'yes', effect: 'NoSchedule' }] });
    assert.match(mismatch(tainted, {}) ?? '', /has the taint nvidia.com\/gpu=yes:NoSchedule/);
    assert.equal(mismatch(tainted, { tolerations: [{ key: GPU, operator: 'Exists' }] }), undefined);
    assert.match(mismatch(tainted, { tolerations: [{ key: GPU, value: 'no' }] }) ?? '', /taint/);
    assert.equal(mismatch(node('p', 8, { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] }), {}), undefined);
    assert.match(mismatch(node('c', 8, { cordoned: true }), {}) ?? '', /cordoned/);
    assert.match(mismatch(node('n', 8, { ready: false }), {}) ?? '', /not ready/);
  });

  it('compares numbers in affinity, as for the memory of a GPU', () => {
    const terms = (operator: string, value: string): Placement => ({
      terms: [{ matchExpressions: [{ key: 'memory', operator, values: [value] }] }],
    });
    const big = node('b', 1, { labels: { memory: '81920' } });
    assert.equal(mismatch(big, terms('Gt', '40959')), undefined);
    assert.match(mismatch(big, terms('Gt', '81920')) ?? '', /memory > 81920/);
    assert.equal(mismatch(big, terms('Lt', '90000')), undefined);
  });
});

describe('planning GPUs', () => {
  it('counts what is free: allocatable minus what pods on the node hold', () => {
    const nodes = [node('a', 8), node('b', 4), node('c', 0)];
    const capacity = capacityOf(nodes, [pod('a', 3), pod('a', 1), pod(undefined, 8)]);
    assert.deepEqual(
      nodes.map((_, position) => capacity.free(GPU, position)),
      [4, 4, 0],
    );
  });

  it('says how many nodes match and how much is free at most when nothing fits', () => {
    const nodes = [node('a', 4), node('b', 4), node('c', 4)];
    const { missing } = planApplication(demand(), capacityOf(nodes, [pod('a', 3), pod('b', 4), pod('c', 3)]));
    assert.equal(
      missing,
      'Application llm has no node for 1 pod: no node has 2 free A100: 3 nodes match, at most 1 free.',
    );
  });

  it('says what keeps pods from each node when none matches', () => {
    const nodes = [node('a', 8, { labels: {} }), node('b', 8, { labels: {} }), node('c', 0)];
    const { missing } = planApplication(demand(), capacityOf(nodes));
    assert.match(
      missing ?? '',
      /2 nodes, each lacks the label nvidia.com\/gpu.product=A100; 1 node has no nvidia.com\/gpu/,
    );
  });

  it('says which products there are when the one that is asked for is none of them', () => {
    const nodes = [node('a', 8), node('b', 8, { labels: { [PRODUCT]: 'L40S' } }), node('c', 0, { labels: {} })];
    const missing = (product: string): string | undefined =>
      planApplication(demand({ placement: { nodeSelector: { [PRODUCT]: product } } }), capacityOf(nodes)).missing;
    assert.equal(
      missing('a100'),
      'Application llm has no node for 1 pod: no node has 2 free a100: the cluster has A100, L40S.',
    );
    assert.equal(missing('A100'), undefined);
  });

  it('never gives the same GPU to two applications', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(8), { minLength: 1, maxLength: 6 }),
        fc.array(fc.record({ count: fc.integer({ min: 1, max: 4 }), replicas: fc.nat(5) }), { maxLength: 5 }),
        (gpus, applications) => {
          const nodes = gpus.map((amount, index) => node(`n${index}`, amount));
          const capacity = capacityOf(nodes);
          const total = gpus.reduce((sum, amount) => sum + amount, 0);
          let placed = 0;
          for (const { count, replicas } of applications) {
            const { missing } = planApplication(demand({ gpu: { resourceName: GPU, count }, replicas }), capacity);
            if (missing === undefined) placed += count * replicas;
          }
          assert.ok(placed <= total);
          assert.ok(nodes.every((_, position) => capacity.free(GPU, position) >= 0));
        },
      ),
    );
  });
});
