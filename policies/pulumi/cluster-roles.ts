import { CLUSTER_ROLES } from '../../components/olm/resource-types.ts';
import type { ClusterFacts } from '../knowledge/facts.ts';
import { listOrNone, type ReadClient } from '../facts/cluster.ts';

/** Every ClusterRole. Nothing where they must not be read: then bindings to roles of others are not judged. */
export async function readClusterRoles(client: ReadClient): Promise<Pick<ClusterFacts, 'clusterRoles'>> {
  try {
    return { clusterRoles: await listOrNone(client, CLUSTER_ROLES) };
  } catch {
    return {};
  }
}
