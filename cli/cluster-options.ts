import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { embeddedCluster, isRunning, refuseStopped } from '../cluster/embedded/environment.ts';
import { type Layout, configuredLayout } from '../cluster/embedded/layout.ts';
import { checkout } from '../packages/lib/checkout.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import { USER_AGENT } from '../packages/api/constants.ts';
import { Client } from '../packages/kube/client/client.ts';
import { loadConnection } from '../packages/kube/connect/kubeconfig.ts';
import type { Io } from './io.ts';
import { clusterOf } from './stack/stack-cluster.ts';
import { readStackFile } from './stack/stack-file.ts';

/** Options of commands that ask a cluster. */
export const CLUSTER_OPTIONS = {
  stack: { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
} as const;
export const CLUSTER_USAGE = `  --stack NAME       ask the cluster that Pulumi.NAME.yaml names
  --kubeconfig FILE  cluster to ask; without it KUBECONFIG, the embedded cluster, ~/.kube/config in this order
  --context NAME     context of the kubeconfig; without --kubeconfig the embedded cluster is passed over`;

export interface ClusterChoice {
  readonly stack?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

type ChoiceIo = Pick<Io, 'env' | 'read' | 'list'>;
type Address = Omit<ClusterChoice, 'stack'>;

/** Runs a command's work with the cluster that the person means. */
export async function withCluster<T>(
  choice: ClusterChoice,
  io: ChoiceIo,
  work: (client: Client) => Promise<T>,
  running: (layout: Layout) => boolean = isRunning,
): Promise<T> {
  const { stack, ...address } = choice;
  const chosen = stack === undefined ? unlessEmbedded(address, io.env, running) : await ofStack(choice, io, running);
  const client = new Client(await loadConnection({ ...chosen, env: io.env }), { userAgent: USER_AGENT });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** Whoever named no cluster means the local one, where there is one. */
function unlessEmbedded(address: Address, env: Io['env'], running: (layout: Layout) => boolean): Address {
  const layout = configuredLayout(env);
  const cluster = embeddedCluster(layout);
  const { KUBECONFIG = '' } = env;
  // A shell that was set up for the embedded cluster names it too.
  const exported = KUBECONFIG !== '' && KUBECONFIG !== cluster?.kubeconfig;
  const named = address.kubeconfig !== undefined || address.context !== undefined || exported;
  if (named) return address;
  if (cluster === undefined) {
    // In a pod, the pod's own account counts.
    const elsewhere = env['KUBERNETES_SERVICE_HOST'] !== undefined || existsSync(join(homedir(), '.kube', 'config'));
    if (elsewhere) return address;
    const remedy = 'Start it with `make up`, or name another with --stack, KUBECONFIG or --kubeconfig.';
    throw problem('cluster', 'none is named, and the embedded one was never started', remedy);
  }
  refuseStopped(layout, running);
  return { kubeconfig: cluster.kubeconfig };
}

async function ofStack(
  { stack = '', kubeconfig, context }: ClusterChoice,
  io: ChoiceIo,
  running: (layout: Layout) => boolean,
): Promise<Address> {
  if (kubeconfig !== undefined || context !== undefined) {
    throw problem('--stack', 'names a cluster already', 'Leave out --kubeconfig and --context, or --stack.');
  }
  const file = await readStackFile(io, checkout, { stack });
  if (file.embedded) refuseStopped(configuredLayout(io.env), running);
  else if (file.kubeContext === undefined) {
    throw problem(`Pulumi.${stack}.yaml`, 'names no kubeContext', "Set it to the context of the stack's cluster.");
  }
  return clusterOf({ file, env: io.env });
}

function problem(object: string, message: string, remedy: string): ProblemsError {
  return new ProblemsError([{ object, path: '', message, remedy }]);
}
