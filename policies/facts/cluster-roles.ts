import { CLUSTER_ROLES } from '../../components/olm/resource-types.ts';
import type { ClusterFacts } from '../core/facts.ts';
import { listOrNone, type ReadClient } from './cluster.ts';

/** Every ClusterRole. Nothing where they must not be read: then bindings are judged by what the program says of its roles. */
export async function readClusterRoles(client: ReadClient): Promise<Pick<ClusterFacts, 'clusterRoles'>> {
  try {
    return { clusterRoles: await listOrNone(client, CLUSTER_ROLES) };
  } catch {
    return {};
  }
}
