import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NodeView } from '../../../../../packages/kube/placement/node-view.ts';
import { matching } from '../../../../../packages/kube/placement/match.ts';
import { NodeIndex } from '../../../../../packages/kube/placement/node-index.ts';
import type { Placement } from '../../../../../packages/kube/placement/placement.ts';
import { holds, type LabelRequirement } from '../../../../../packages/kube/label-selector.ts';
import { counting } from '../../../../support/operator/counting.ts';
import { capacityOf, mismatch, nodeWith } from '../../../../support/kubernetes/nodes.ts';

const key = fc.constantFrom('zone', 'disk', 'size');
const value = fc.constantFrom('a', 'b', '1', '2');
const labels = fc.dictionary(key, value, { maxKeys: 3 });
const requirement: fc.Arbitrary<LabelRequirement> = fc.record({
  key,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Like'),
  values: fc.array(value, { maxLength: 3 }),
});
const nameRequirement = fc.record({
  key: fc.constant('metadata.name'),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.array(fc.constantFrom('n0', 'n1', 'n33'), { maxLength: 1 }),
});
const term = fc.record({
  matchExpressions: fc.array(requirement, { maxLength: 3 }),
  matchFields: fc.array(nameRequirement, { maxLength: 1 }),
});
const placement = fc.record({ nodeSelector: labels, terms: fc.array(term, { maxLength: 3 }) });
const nodes = fc
  .array(fc.record({ labels, ready: fc.boolean(), cordoned: fc.boolean() }), { maxLength: 40 })
  .map((given) => given.map((more, position) => nodeWith(`n${position}`, 1, more)));

/** As the documentation of Kubernetes tells it, one node at a time. */
function takes(
  { name, labels: actual, ready, cordoned }: NodeView,
  { nodeSelector = {}, terms = [] }: Placement,
): boolean {
  const selected = Object.entries(nodeSelector).every(([label, wanted]) => actual[label] === wanted);
  const inTerm = terms.some(({ matchExpressions = [], matchFields = [] }) => {
    const some = matchExpressions.length + matchFields.length > 0;
    return (
      some &&
      matchExpressions.every((each) => holds(actual[each.key], each)) &&
      matchFields.every((each) => holds(name, each))
    );
  });
  return selected && (terms.length === 0 || inTerm) && ready && !cordoned;
}

describe('the nodes that match', () => {
  it('are those that match one by one', () => {
    fc.assert(
      fc.property(nodes, placement, (given, wanted) => {
        const found = [...matching(new NodeIndex(given), wanted).positions()];
        const expected = given.flatMap((node, position) => (takes(node, wanted) ? [position] : []));
        assert.deepEqual(found, expected);
      }),
    );
  });

  it('are those in whose way nothing stands', () => {
    fc.assert(
      fc.property(nodes, placement, (given, wanted) => {
        for (const node of given) assert.equal(mismatch(node, wanted) === undefined, takes(node, wanted));
      }),
    );
  });
});

/** How often labels of nodes are read when pods of these placements are to be placed. */
function labelReads(placements: readonly Placement[], nodeCount: number): number {
  const counter = { reads: 0 };
  const labelsOf = (position: number): NodeView['labels'] =>
    counting({ zone: 'a', rack: `r${position}`, host: `h${position}` }, counter);
  const counted = Array.from({ length: nodeCount }, (_, position) =>
    nodeWith(`n${position}`, 8, { labels: labelsOf(position) }),
  );
  const capacity = capacityOf(counted);
  for (const wanted of placements) capacity.matching(wanted);
  return counter.reads;
}

function anyOfTerms(count: number, first = 0): Placement {
  const terms = Array.from({ length: count }, (_, index) => ({
    matchExpressions: [{ key: index % 2 === 0 ? 'rack' : 'host', operator: 'In', values: [`r${first + index}`] }],
  }));
  return { terms };
}

describe('the work of finding nodes', () => {
  const NODES = 50;

  it('does not grow with the number of applications, whether they want the same or not', () => {
    const same = (count: number): Placement[] => Array.from({ length: count }, () => anyOfTerms(20));
    const different = (count: number): Placement[] =>
      Array.from({ length: count }, (_, index) => anyOfTerms(20, index));
    assert.equal(labelReads(same(20), NODES), labelReads(same(10), NODES));
    assert.equal(labelReads(different(20), NODES), labelReads(different(10), NODES));
  });

  it('does not grow with the number of terms and of labels that no node has', () => {
    assert.equal(labelReads([anyOfTerms(200)], NODES), labelReads([anyOfTerms(100)], NODES));
    const unknown = (count: number): Placement => ({
      terms: [
        { matchExpressions: Array.from({ length: count }, (_, index) => ({ key: `k${index}`, operator: 'Exists' })) },
      ],
    });
    assert.equal(labelReads([unknown(200)], NODES), labelReads([unknown(100)], NODES));
  });

  it('doubles with the number of nodes', () => {
    assert.equal(labelReads([anyOfTerms(20)], 2 * NODES), 2 * labelReads([anyOfTerms(20)], NODES));
  });
});
