import { describeEmbeddedCluster, type EmbeddedClusterDescription } from '../../cluster/embedded-cluster.ts';
import { connect } from '../../infra/cluster/connect.ts';
import type { ClusterReference } from '../../packages/kube/kubectl.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { findBackend } from './backend.ts';
import type { EnvironmentFile } from './environment-file.ts';
import type { Variables } from '../io.ts';

/** An environment, and the variables that say where the local cluster is. */
export interface EnvironmentOfCluster {
  readonly environment: string;
  readonly file: Pick<EnvironmentFile, 'embedded' | 'kubeconfig' | 'kubeContext'>;
  readonly env: Variables;
}

/** Ways to ask about clusters, which tests replace. */
export interface Asking {
  readonly embedded: (env: Variables) => EmbeddedClusterDescription;
  /** Why a cluster does not answer; undefined when it does. */
  readonly silence: (cluster: ClusterReference, env: Variables) => Promise<string | undefined>;
}

const ASKING: Asking = {
  embedded: describeEmbeddedCluster,
  silence: async (cluster, env) => {
    try {
      const client = await connect(cluster, env);
      await client.raw('/version').finally(() => {
        client.close();
      });
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  },
};

/** The cluster that an environment is for. */
export function clusterOf(file: EnvironmentOfCluster['file'], embedded: EmbeddedClusterDescription): ClusterReference {
  const { kubeconfig, kubeContext: context } = file;
  return file.embedded ? { kubeconfig: embedded.kubeconfig, context: embedded.context } : { kubeconfig, context };
}

/** The addresses of a stopped cluster lead out of this machine, where a stranger might answer. */
export function refuseStopped({ stopped }: EmbeddedClusterDescription): void {
  if (stopped !== undefined) throw new ProblemsError([stopped]);
}

/**
 * Refuses to go on if the environment's cluster does not answer. Pulumi would report that for every object, and late.
 */
export async function refuseAbsent(of: EnvironmentOfCluster, asking = ASKING): Promise<void> {
  const { environment, file, env } = of;
  const forget = `make forget ENV=${environment}`;
  if (file.embedded) {
    const embedded = asking.embedded(env);
    if (embedded.exists) {
      refuseStopped(embedded);
      return;
    }
    const remedy =
      findBackend(env, file).kind === 'embedded'
        ? 'The state of the environment was deleted with it, so there is nothing to take down.'
        : `If it was deleted, remove the environment's state with: ${forget}`;
    throw new ProblemsError([
      { object: 'embedded cluster', path: embedded.context, message: 'does not exist', remedy },
    ]);
  }
  const silence = await ask(of, asking);
  if (silence === undefined) return;
  throw new ProblemsError([
    {
      object: `environment ${environment}`,
      path: 'kubeContext',
      value: file.kubeContext,
      message: `cannot be reached: ${silence}`,
      remedy: `If the cluster is gone for good, remove the environment's state with: ${forget}`,
    },
  ]);
}

/** Refuses to go on if the environment's cluster is still there. */
export async function refusePresent(of: EnvironmentOfCluster, asking = ASKING): Promise<void> {
  const { environment, file, env } = of;
  const present = file.embedded ? asking.embedded(env).exists : (await ask(of, asking)) === undefined;
  if (!present) return;
  const remedy = file.embedded
    ? `Take the environment down with \`make down ENV=${environment}\`, or delete the cluster with \`make cluster-delete\`.`
    : `Take the environment down with \`make down ENV=${environment}\`.`;
  throw new ProblemsError([
    {
      object: `environment ${environment}`,
      path: file.embedded ? 'cluster' : 'kubeContext',
      value: file.embedded ? 'embedded' : file.kubeContext,
      message: 'is still there, and what is installed in it would be forgotten',
      remedy,
    },
  ]);
}

/** Asks no cluster for an environment without a context: the current context may be anybody's. */
async function ask({ file, env }: EnvironmentOfCluster, asking: Asking): Promise<string | undefined> {
  if (file.kubeContext === undefined) return 'the environment names no context';
  return asking.silence(clusterOf(file, asking.embedded(env)), env);
}
