import assert from 'node:assert/strict';
import { LINE_LIMIT } from '../../../../../packages/lib/message.ts';
import { misplaced } from '../../../../../packages/kube/placement/misplaced.ts';
import type { Placement } from '../../../../../packages/kube/placement/placement.ts';
import type { NodeView } from '../../../../../packages/kube/placement/node-view.ts';
import { capacityOf, nodeWith } from '../../../../support/kubernetes/nodes.ts';

const NODES = ['cpu', 'cpu', 't4'].map((pool, index) =>
  nodeWith(`n${index}`, 0, { labels: { pool, zone: `z${index}` } }),
);

function why(placement: Placement, nodes: readonly NodeView[] = NODES): string | undefined {
  return misplaced('Application llm', 1, placement, capacityOf(nodes));
}

function affinity(...terms: { key: string; operator: string; values: string[] }[][]): Placement {
  return { terms: terms.map((matchExpressions) => ({ matchExpressions })) };
}

const NO_PLACE = 'Application llm has no node for 1 pod';

describe('what keeps pods from every node', () => {
  it('is the label that no node has, and the values of it that there are', () => {
    const sentence = `${NO_PLACE}: no node has the label pool=a100; nodes have pool=cpu, pool=t4.`;
    assert.equal(why({ nodeSelector: { pool: 'a100' } }), sentence);
    assert.equal(why(affinity([{ key: 'pool', operator: 'In', values: ['a100'] }])), sentence);
    const both = affinity([{ key: 'pool', operator: 'In', values: ['a100', 'h100'] }]);
    assert.equal(why(both), `${NO_PLACE}: no node has the label pool=(a100, h100); nodes have pool=cpu, pool=t4.`);
  });

  it('is told for each alternative of an affinity', () => {
    const either = affinity(
      [{ key: 'pool', operator: 'In', values: ['a100'] }],
      [{ key: 'zone', operator: 'In', values: ['z9'] }],
    );
    assert.equal(
      why(either),
      `${NO_PLACE}: no node has the label pool=a100, the label zone=z9; nodes have pool=cpu, pool=t4.`,
    );
  });

  it('is counted by reasons where no node has the label at all, or labels do not go together', () => {
    assert.equal(why({ nodeSelector: { disk: 'ssd' } }), `${NO_PLACE}: 3 nodes, each lacks the label disk=ssd.`);
    assert.equal(
      why({ nodeSelector: { pool: 't4', zone: 'z0' } }),
      `${NO_PLACE}: 2 nodes, each lacks the label pool=t4; 1 node lacks the label zone=z0.`,
    );
    const cordoned = NODES.map((node) => ({ ...node, cordoned: true }));
    assert.equal(why({}, cordoned), `${NO_PLACE}: 3 nodes, each is cordoned.`);
  });

  it('is nothing where a node matches, or there is none: the scheduler knows more', () => {
    assert.equal(why({ nodeSelector: { pool: 't4' } }), undefined);
    assert.equal(why({}, []), undefined);
  });

  it('is one line, also where a label has thousands of values', () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      nodeWith(`n${index}`, 0, { labels: { host: `h${index}` } }),
    );
    const told = why({ nodeSelector: { host: 'nope' } }, many) ?? '';
    assert.equal(told, `${NO_PLACE}: no node has the label host=nope; nodes have 1000 other values of it.`);
    assert.ok(told.length <= LINE_LIMIT);
  });
});
