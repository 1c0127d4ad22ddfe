import { NODES } from '../../packages/kube/resource-types.ts';
import { keepNode } from '../../packages/kube/placement/node-view.ts';
import { isForbidden } from '../../packages/kube/client/api-error.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { CONTROL_PLANE, type NodeFacts } from './placement.ts';

/** The control plane nodes, which are few in any cluster. Undefined if listing nodes is not allowed, which is no reason to fail. */
export async function readControlPlane(client: Pick<Client, 'listAll'>): Promise<readonly NodeFacts[] | undefined> {
  try {
    return (await optional(client.listAll(NODES, { labelSelector: CONTROL_PLANE }))).map((node) => {
      const { labels, taints } = keepNode(node);
      return { labels, taints };
    });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
