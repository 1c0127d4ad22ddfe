import { messageOf } from '../../packages/lib/error.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { objectKey } from '../../packages/kube/object.ts';
import { explain, type Cluster } from './explain.ts';
import { isRolledOut } from './rollout.ts';
import { deploymentsOf, type DeploymentRef, type Target } from './target.ts';

export interface Patience {
  readonly now: () => number;
  /** Waits until the next look. */
  readonly pause: () => Promise<void>;
  /** How long a Deployment may take. */
  readonly limitMs: number;
}

/**
 * Waits until the newest pods of a Deployment run. Returns the problem that keeps them from running when the time is
 * over. A Deployment that does not exist may still appear.
 */
export async function untilRolledOut(
  ref: DeploymentRef,
  target: Target,
  cluster: Cluster,
  { now, pause, limitMs }: Patience,
): Promise<Problem | undefined> {
  const begin = now();
  for (;;) {
    // A cluster that does not answer for a moment is asked again.
    const look = await deploymentsOf(ref, cluster).then(
      (found) => ({ found }),
      (error: unknown) => ({ error: messageOf(error) }),
    );
    if ('found' in look && look.found.length > 0 && look.found.every(isRolledOut)) return undefined;
    if (now() - begin >= limitMs) {
      if ('error' in look) return unknown(ref, look.error);
      return look.found.length === 0 ? missing(ref) : reason(ref, target, cluster, now());
    }
    await pause();
  }
}

function unknown(ref: DeploymentRef, error: string): Problem {
  return {
    object: describe(ref),
    path: '',
    message: `cannot be checked for ready pods, because the API server does not answer: ${error}`,
    remedy: 'Run `up` again when it answers.',
  };
}

function missing(ref: DeploymentRef): Problem {
  return {
    object: describe(ref),
    path: '',
    message: 'does not exist',
    remedy:
      'OLM reports its operator as installed. Look at `kubectl describe clusterextension`, and find out who deletes it.',
  };
}

function describe(ref: DeploymentRef): string {
  return `Deployment ${objectKey(ref)}`;
}

async function reason(ref: DeploymentRef, target: Target, cluster: Cluster, now: number): Promise<Problem> {
  const [symptom] = await target.symptoms(cluster).catch(() => []);
  const problem = symptom === undefined ? undefined : await explain(symptom, cluster, now);
  return problem ?? { object: describe(ref), path: '', message: 'its newest pods have not become ready' };
}
