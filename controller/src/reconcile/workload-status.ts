import type { WorkloadStatus } from '../api/types.ts';
import { isRolling, type DeploymentView } from './deployment-view.ts';
import type { PodView } from './pod-view.ts';

export interface Workload {
  readonly view: DeploymentView | undefined;
  readonly pods: readonly PodView[];
  readonly suspended: boolean;
}

/** How one Deployment is doing, in a word and a sentence. */
export function workloadStatus({ view, pods, suspended }: Workload): WorkloadStatus {
  if (view === undefined) return { phase: 'Progressing', message: 'The Deployment is about to be made.' };
  const { replicas, readyReplicas, updatedReplicas } = view;
  return { replicas, readyReplicas, updatedReplicas, ...phaseOf(view, pods, suspended) };
}

/** The first problem that a pod reports; pods are looked at in a stable order so that it does not flicker. */
export function firstProblem(pods: readonly PodView[]): string | undefined {
  return pods
    .flatMap(({ problem }) => problem ?? [])
    .sort()
    .at(0);
}

function phaseOf(
  view: DeploymentView,
  pods: readonly PodView[],
  suspended: boolean,
): Pick<WorkloadStatus, 'phase' | 'message'> {
  if (suspended && view.totalReplicas === 0) return { phase: 'Suspended', message: 'No pods run, as was asked for.' };
  const problem = firstProblem(pods);
  const counts = `${view.readyReplicas} of ${view.replicas} pods are ready, ${view.updatedReplicas} have the newest configuration.`;
  if (view.stalled !== undefined) return { phase: 'Failed', message: problem ?? view.stalled };
  if (!isRolling(view) && view.readyReplicas >= view.replicas) return { phase: 'Ready', message: counts };
  return problem === undefined ? { phase: 'Progressing', message: counts } : { phase: 'Waiting', message: problem };
}
