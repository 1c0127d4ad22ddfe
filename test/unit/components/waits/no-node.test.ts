import assert from 'node:assert/strict';
import { asksFor, whyNoNode } from '../../../../components/waits/no-node.ts';
import type { Pod } from '../../../../components/waits/symptom.ts';
import { keepNode } from '../../../../packages/kube/placement/node-view.ts';
import { node } from '../../../support/olm/waited-for.ts';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

function why(spec: object, ...nodes: ReturnType<typeof node>[]): string | undefined {
  return whyNoNode(spec, nodes.map(keepNode));
}

function asking(requests: Record<string, string>): object {
  return { containers: [{ resources: { requests } }] };
}

describe('why no node takes a pod', () => {
  it('is the label that no node has', () => {
    const spec = { nodeSelector: { [CONTROL_PLANE]: '' } };
    assert.equal(why(spec, node('a')), `1 node lacks the label ${CONTROL_PLANE}=`);
  });

  it('is the label that nodes have with another value, as k3s gives it', () => {
    const spec = { nodeSelector: { [CONTROL_PLANE]: '' } };
    const k3s = node('a', { labels: { [CONTROL_PLANE]: 'true' } });
    assert.equal(
      why(spec, k3s, node('b')),
      `no node has the label ${CONTROL_PLANE}=; nodes have ${CONTROL_PLANE}=true`,
    );
  });

  it('is a taint that the pod does not tolerate', () => {
    const tainted = node('a', { taints: [{ key: 'gpu', value: 'only', effect: 'NoSchedule' }] });
    assert.equal(why({}, tainted, tainted), '2 nodes, each has the taint gpu=only:NoSchedule');
    assert.equal(why({ tolerations: [{ operator: 'Exists' }] }, tainted), undefined);
  });

  it('is more cpu or memory than the largest node that matches has', () => {
    const large = node('large', { labels: { pool: 'other' }, allocatable: { cpu: '64', memory: '256Gi' } });
    assert.equal(
      why(
        { ...asking({ cpu: '4', memory: '1Gi' }), nodeSelector: { pool: 'mine' } },
        large,
        node('a', { labels: { pool: 'mine' } }),
      ),
      'it asks for 4 cpu, and the largest node that matches has 2 cpu',
    );
    assert.equal(
      why(asking({ memory: '16Gi' }), node('a')),
      'it asks for 16Gi memory, and the largest node that matches has 8Gi memory',
    );
  });

  it('is not known to us when a node would take it if others left room', () => {
    assert.equal(why(asking({ cpu: '2' }), node('a')), undefined);
  });

  it('is that there are none', () => {
    assert.equal(why({}), 'the cluster has no nodes');
  });
});

describe('what a pod asks for', () => {
  it('is told as people write it', () => {
    const spec = asking({ cpu: '100m', memory: '200Mi', 'nvidia.com/gpu': '1' }) as Pod['spec'];
    assert.equal(asksFor(spec), 'it asks for 100m cpu, 200Mi memory, 1 nvidia.com/gpu');
    assert.equal(asksFor({}), 'it asks for nothing');
  });
});
