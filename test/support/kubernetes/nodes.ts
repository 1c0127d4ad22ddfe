import { Capacity } from '../../../controller/src/reconcile/gpu/capacity.ts';
import { DevicesInUse } from '../../../controller/src/reconcile/gpu/devices-in-use.ts';
import type { NodeView } from '../../../packages/kube/placement/node-view.ts';
import { NodeIndex } from '../../../packages/kube/placement/node-index.ts';
import { obstacles } from '../../../packages/kube/placement/obstacles.ts';
import type { Placement } from '../../../packages/kube/placement/placement.ts';
import type { PodView } from '../../../controller/src/reconcile/pod-view.ts';
import { GPU } from './cluster-objects.ts';

export const PRODUCT = 'nvidia.com/gpu.product';

/** A node that takes pods, with A100s unless another label is given. */
export function nodeWith(name: string, gpus: number, more: Partial<NodeView> = {}): NodeView {
  return {
    resourceVersion: 1,
    name,
    labels: { [PRODUCT]: 'A100' },
    taints: [],
    ready: true,
    cordoned: false,
    devices: gpus === 0 ? {} : { [GPU]: gpus },
    ...more,
  };
}

/** A pod of no stack that holds GPUs on a node. */
export function podOn(node: string | undefined, gpus: number, more: Partial<PodView> = {}): PodView {
  return {
    resourceVersion: 1,
    stack: undefined,
    component: undefined,
    node,
    leaving: false,
    devices: { [GPU]: gpus },
    requests: {},
    loading: false,
    unschedulableSince: undefined,
    problem: undefined,
    waitsForRoom: more.unschedulableSince !== undefined,
    question: undefined,
    ...more,
  };
}

export function devicesOf(pods: readonly PodView[]): DevicesInUse {
  const devices = new DevicesInUse();
  for (const after of pods) devices.update({ after });
  return devices;
}

/** What nodes have left for more pods. */
export function capacityOf(nodes: readonly NodeView[], pods: readonly PodView[] = []): Capacity {
  return new Capacity(new NodeIndex(nodes), devicesOf(pods));
}

/** Why a pod may not run on a node; nothing when it may. */
export function mismatch(node: NodeView, placement: Placement): string | undefined {
  const index = new NodeIndex([node]);
  return obstacles(index, placement, index.all).keys().next().value;
}
