import type { Client } from '../../packages/kube/client/client.ts';
import type { ClusterReference } from '../../packages/kube/kubectl.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { connect } from './connect.ts';
import type { ClusterDescription } from './describe-cluster.ts';
import { readLiveState, UNKNOWN_STATE, type LiveState } from './live-state.ts';

/** Asks the cluster something, with the credentials that the provider has too. */
export async function withCluster<T>(cluster: ClusterReference, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(cluster);
  try {
    return await ask(client);
  } finally {
    client.close();
  }
}

/**
 * Reads what is in the cluster. A preview goes on without an answer, everything else does not. A stopped cluster has a
 * fleet that cannot be seen, so not even a preview goes on.
 */
export async function askCluster(
  cluster: ClusterReference & Pick<ClusterDescription, 'stopped' | 'unreachable'>,
  preview: boolean,
  warn: (message: string) => void,
): Promise<LiveState> {
  if (cluster.stopped !== undefined) throw new ProblemsError([cluster.stopped]);
  try {
    return await withCluster(cluster, readLiveState);
  } catch (error) {
    const reason = messageOf(error);
    if (!preview) throw new ProblemsError([{ ...cluster.unreachable, message: `cannot be reached: ${reason}` }]);
    warn(
      `The cluster cannot be reached (${reason}): this preview assumes a new cluster, and does not know what becomes of InferenceStacks.`,
    );
    return UNKNOWN_STATE;
  }
}
