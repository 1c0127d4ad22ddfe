import assert from 'node:assert/strict';
import { isSamePlace, keepNode, type NodeView } from '../../../../../packages/kube/placement/node-view.ts';

function node(version: number, gpus: string, heartbeat: string): NodeView {
  const status = {
    allocatable: { cpu: '8', 'nvidia.com/gpu': gpus },
    conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: heartbeat }],
  };
  return keepNode({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a', resourceVersion: String(version) },
    status,
  });
}

describe('what is kept of a node', () => {
  it('is the same after a heartbeat', () => {
    assert.ok(isSamePlace(node(1, '2', '10:00'), node(2, '2', '10:05')));
  });

  it('is another when its GPUs change, and when the node comes or goes', () => {
    assert.ok(!isSamePlace(node(1, '2', '10:00'), node(2, '3', '10:00')));
    assert.ok(!isSamePlace(undefined, node(1, '2', '10:00')));
    assert.ok(!isSamePlace(node(1, '2', '10:00'), undefined));
  });
});
