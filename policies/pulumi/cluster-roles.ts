import { CLUSTER_ROLES } from '../../components/olm/resource-types.ts';
import type { ClusterFacts } from '../knowledge/facts.ts';
import { listOrNone, type ReadClient } from '../facts/cluster.ts';

/** Every ClusterRole; undefined without the right to read them. Bindings to roles of others are not judged then. */
export async function readClusterRoles(client: ReadClient): Promise<Pick<ClusterFacts, 'clusterRoles'>> {
  try {
    return { clusterRoles: await listOrNone(client, CLUSTER_ROLES) };
  } catch {
    return {};
  }
}
