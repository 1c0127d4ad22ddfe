import { embeddedCluster, isRunning, refuseStopped } from '../cluster/embedded/environment.ts';
import { type Layout, configuredLayout } from '../cluster/embedded/layout.ts';
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
  running: (layout: Layout) => boolean = isRunning,
): Promise<T> {
  // Whoever named no cluster means the local one, where there is one.
  const unnamed = kubeconfig === undefined && context === undefined && (env['KUBECONFIG'] ?? '') === '';
  const chosen = unnamed ? embeddedKubeconfig(env, running) : kubeconfig;
  const client = new Client(await loadConnection({ kubeconfig: chosen, context, env }));
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

function embeddedKubeconfig(env: Io['env'], running: (layout: Layout) => boolean): string | undefined {
  const layout = configuredLayout(env);
  const cluster = embeddedCluster(layout);
  if (cluster !== undefined) refuseStopped(layout, running);
  return cluster?.kubeconfig;
}
