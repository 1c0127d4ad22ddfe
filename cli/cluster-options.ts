import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describeEmbeddedCluster, type EmbeddedClusterDescription } from '../cluster/embedded-cluster.ts';
import { environmentFileName } from '../infra/config/project.ts';
import { checkout } from '../packages/lib/checkout.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import { networkReason } from '../packages/lib/network-problem.ts';
import { USER_AGENT } from '../packages/api/constants.ts';
import { ApiError } from '../packages/kube/client/api-error.ts';
import { Client } from '../packages/kube/client/client.ts';
import { loadConnection } from '../packages/kube/connect/kubeconfig.ts';
import type { Io } from './io.ts';
import { clusterOf, refuseStopped } from './environment/environment-cluster.ts';
import { openEnvironmentFile } from './environment/environment-file.ts';

/** The options that say which cluster a command asks. */
export interface ClusterChoice {
  readonly environment?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

type ChoiceIo = Pick<Io, 'env' | 'read' | 'list'>;
type Address = Omit<ClusterChoice, 'environment'>;

/** Runs a command's work with the cluster that the person means. */
export async function withCluster<T>(
  choice: ClusterChoice,
  io: ChoiceIo,
  work: (client: Client) => Promise<T>,
  embedded = describeEmbeddedCluster(io.env),
): Promise<T> {
  const { environment, ...address } = choice;
  const chosen =
    environment === undefined ? unlessEmbedded(address, io.env, embedded) : await ofEnvironment(choice, io, embedded);
  const connection = await loadConnection({ ...chosen, env: io.env });
  const client = new Client(connection, { userAgent: USER_AGENT });
  try {
    return await work(client);
  } catch (error) {
    throw clusterError(error, connection.server);
  } finally {
    client.close();
  }
}

/** Without a named cluster, the embedded one is meant if it exists. */
function unlessEmbedded(address: Address, env: Io['env'], embedded: EmbeddedClusterDescription): Address {
  const { KUBECONFIG = '' } = env;
  // A shell set up for the embedded cluster exports its kubeconfig.
  const exported = KUBECONFIG !== '' && !(embedded.exists && KUBECONFIG === embedded.kubeconfig);
  const named = address.kubeconfig !== undefined || address.context !== undefined || exported;
  if (named) return address;
  if (!embedded.exists) {
    // In a pod, the pod's own account counts.
    const elsewhere = env['KUBERNETES_SERVICE_HOST'] !== undefined || existsSync(join(homedir(), '.kube', 'config'));
    if (elsewhere) return address;
    const remedy = 'Start it with `make up`, or name another with --environment, KUBECONFIG or --kubeconfig.';
    throw problem('cluster', 'none is named, and the embedded one was never started', remedy);
  }
  refuseStopped(embedded);
  return { kubeconfig: embedded.kubeconfig };
}

async function ofEnvironment(
  { environment = '', kubeconfig, context }: ClusterChoice,
  io: ChoiceIo,
  embedded: EmbeddedClusterDescription,
): Promise<Address> {
  if (kubeconfig !== undefined || context !== undefined) {
    throw problem(
      '--environment',
      'names a cluster already',
      'Leave out --kubeconfig and --context, or --environment.',
    );
  }
  const file = await openEnvironmentFile(io, checkout, { environment });
  if (file.embedded) refuseStopped(embedded);
  else if (file.kubeContext === undefined) {
    throw problem(
      environmentFileName(environment),
      'names no kubeContext',
      "Set it to the context of the environment's cluster.",
    );
  }
  return clusterOf(file, embedded);
}

/** What a cluster that cannot be reached, or that refuses, means for the person; other errors as they are. */
function clusterError(error: unknown, { origin }: URL): unknown {
  const object = `cluster ${origin}`;
  const reason = networkReason(error);
  if (reason !== undefined) {
    const remedy = `${reason.remedy} --kubeconfig and --context choose another cluster.`;
    return problem(object, `cannot be reached: ${reason.message}`, remedy);
  }
  if (!(error instanceof ApiError)) return error;
  const login = 'Log in again; `kubectl auth whoami` shows as whom the cluster knows you.';
  if (error.status === 401) return problem(object, 'does not know these credentials', login);
  const rights = '`kubectl auth can-i` shows what you may do; ask whoever runs the cluster for more.';
  if (error.status === 403) return problem(object, `refuses: ${error.answer}`, rights);
  const own = '`kubectl get --raw /readyz` shows whether its API server is well.';
  return problem(object, `answers with an error: ${error.message}`, own);
}

function problem(object: string, message: string, remedy: string): ProblemsError {
  return new ProblemsError([{ object, path: '', message, remedy }]);
}
