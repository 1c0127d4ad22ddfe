import type { Problem } from '../../controller/src/problem.ts';
import { objectKey } from '../../controller/src/runtime/object.ts';
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
 * Waits until the newest pods of a Deployment run. The outcome is the problem that keeps them from it when the time is over. What has no
 * such Deployment is not waited for.
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
    const found = await deploymentsOf(ref, cluster).catch(() => undefined);
    if (found?.every(isRolledOut) === true) return undefined;
    if (now() - begin >= limitMs) return reason(ref, target, cluster, now());
    await pause();
  }
}

async function reason(ref: DeploymentRef, target: Target, cluster: Cluster, now: number): Promise<Problem> {
  const [symptom] = await target.symptoms(cluster).catch(() => []);
  const problem = symptom === undefined ? undefined : await explain(symptom, cluster, now);
  const object = `Deployment ${objectKey(ref)}`;
  return problem ?? { object, path: '', message: 'its newest pods have not become ready' };
}
