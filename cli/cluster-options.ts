import { embeddedCluster } from '../cluster/embedded/environment.ts';
import { layoutOf } from '../cluster/embedded/layout.ts';
import { readSettings, settingsPath } from '../cluster/embedded/settings.ts';
import { Client } from '../controller/src/runtime/client.ts';
import { loadConnection } from '../controller/src/runtime/kubeconfig.ts';
import type { Io } from './io.ts';

/** Options of commands that ask a cluster. */
export const CLUSTER_OPTIONS = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
} as const;
export const CLUSTER_USAGE = `  --kubeconfig FILE  cluster to ask; without it KUBECONFIG, the embedded cluster, ~/.kube/config in this order
  --context NAME     context of the kubeconfig; without --kubeconfig the embedded cluster is passed over`;

export interface ClusterChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** Runs a command's work with the cluster that the person means. */
export async function withCluster<T>(
  { kubeconfig, context }: ClusterChoice,
  { env }: Pick<Io, 'env'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  // Whoever named no cluster means the local one, where there is one.
  const unnamed = context === undefined && (env['KUBECONFIG'] ?? '') === '';
  const local = unnamed ? embeddedCluster(layoutOf(readSettings(settingsPath(env)), env))?.kubeconfig : undefined;
  const chosen = kubeconfig ?? local;
  const client = new Client(await loadConnection({ kubeconfig: chosen, context, env }));
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
