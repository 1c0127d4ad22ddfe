import { describeCluster, embeddedCluster, isRunning, refuseStopped } from '../../cluster/embedded/environment.ts';
import { configuredLayout, type Layout } from '../../cluster/embedded/layout.ts';
import type { ClusterReference } from '../../packages/kube/kubectl.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { USER_AGENT } from '../../packages/api/constants.ts';
import { Client } from '../../packages/kube/client/client.ts';
import { loadConnection } from '../../packages/kube/connect/kubeconfig.ts';
import { findBackend } from './backend.ts';
import type { StackFile } from './stack-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A stack, and the environment that says where the local cluster is. */
export interface StackOfCluster {
  readonly stack: string;
  readonly file: Pick<StackFile, 'embedded' | 'kubeconfig' | 'kubeContext'>;
  readonly env: Environment;
}

/** How this machine is asked about clusters, so that a test can answer. */
export interface Asking {
  readonly running: (layout: Layout) => boolean;
  /** Why a cluster does not answer; undefined when it does. */
  readonly silence: (cluster: ClusterReference, env: Environment) => Promise<string | undefined>;
}

const PATIENCE_MS = 5_000;

const ASKING: Asking = {
  running: isRunning,
  silence: async ({ kubeconfig, context }, env) => {
    try {
      const options = { requestTimeoutMs: PATIENCE_MS, userAgent: USER_AGENT };
      const client = new Client(await loadConnection({ kubeconfig, context, env }), options);
      await client.raw('/version').finally(() => {
        client.close();
      });
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  },
};

/** The cluster that a stack is for. */
export function clusterOf({ file, env }: Omit<StackOfCluster, 'stack'>): ClusterReference {
  if (!file.embedded) return { kubeconfig: file.kubeconfig, context: file.kubeContext };
  const layout = configuredLayout(env);
  const { kubeconfig, context } = embeddedCluster(layout) ?? describeCluster(layout);
  return { kubeconfig, context };
}

/**
 * Refuses to go on where the stack's cluster is not there to be changed: Pulumi would say so once for every object, and
 * only after minutes.
 */
export async function refuseAbsent(of: StackOfCluster, asking = ASKING): Promise<void> {
  const { stack, file, env } = of;
  const forget = `make forget STACK=${stack}`;
  if (file.embedded) {
    const layout = configuredLayout(env);
    if (embeddedCluster(layout) !== undefined) {
      refuseStopped(layout, asking.running);
      return;
    }
    const remedy =
      findBackend(env, file).kind === 'embedded'
        ? 'The state of the stack was deleted with it, so there is nothing to take down.'
        : `Where it was deleted, let the stack forget what it had there with: ${forget}`;
    throw new ProblemsError([{ object: 'embedded cluster', path: layout.name, message: 'does not exist', remedy }]);
  }
  const silence = await ask(of, asking);
  if (silence === undefined) return;
  throw new ProblemsError([
    {
      object: `stack ${stack}`,
      path: 'kubeContext',
      value: file.kubeContext,
      message: `cannot be reached: ${silence}`,
      remedy: `If the cluster is gone for good, let the stack forget what it had there with: ${forget}`,
    },
  ]);
}

/** Refuses to go on where the stack's cluster is still there. */
export async function refusePresent(of: StackOfCluster, asking = ASKING): Promise<void> {
  const { stack, file, env } = of;
  const present = file.embedded
    ? embeddedCluster(configuredLayout(env)) !== undefined
    : (await ask(of, asking)) === undefined;
  if (!present) return;
  const remedy = file.embedded
    ? `Take the stack down with \`make down STACK=${stack}\`, or delete the cluster with \`make cluster-delete\`.`
    : `Take the stack down with \`make down STACK=${stack}\`.`;
  throw new ProblemsError([
    {
      object: `stack ${stack}`,
      path: file.embedded ? 'cluster' : 'kubeContext',
      value: file.embedded ? 'embedded' : file.kubeContext,
      message: 'is still there, and nobody would know any more what the stack has installed in it',
      remedy,
    },
  ]);
}

/** Nobody is asked on behalf of a stack that names no context: the current one may be anybody's. */
async function ask({ file, env }: StackOfCluster, asking: Asking): Promise<string | undefined> {
  if (file.kubeContext === undefined) return 'the stack names no context';
  return asking.silence(clusterOf({ file, env }), env);
}
