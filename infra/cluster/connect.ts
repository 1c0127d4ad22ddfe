import { USER_AGENT } from '../../packages/api/constants.ts';
import { Client } from '../../packages/kube/client/client.ts';
import { loadConnection, type ConnectionOptions } from '../../packages/kube/connect/kubeconfig.ts';
import type { ClusterReference } from '../../packages/kube/kubectl.ts';

/** How long a cluster may take to answer before it counts as one that does not. */
const PATIENCE_MS = 5_000;

/** A client of the cluster, which does not wait for long. */
export async function connect(
  { kubeconfig, context }: ClusterReference,
  env: ConnectionOptions['env'] = process.env,
): Promise<Client> {
  return new Client(await loadConnection({ kubeconfig, context, env }), {
    requestTimeoutMs: PATIENCE_MS,
    userAgent: USER_AGENT,
  });
}
