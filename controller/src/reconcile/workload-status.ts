import type { WorkloadStatus } from '../../../packages/api/types.ts';
import { isRolling, type DeploymentView } from '../../../packages/kube/pods/deployment-view.ts';
import type { PodView } from './pod-view.ts';

export interface Workload {
  readonly view: DeploymentView | undefined;
  readonly pods: readonly PodView[];
  readonly suspended: boolean;
  /** Whether its pods load a model before they serve. */
  readonly hasModel: boolean;
  /** What the pods that have no node wait for, in a sentence. */
  readonly missing?: string | undefined;
  /** Why nothing changes for now, in a sentence, where what runs has to stay as it is. */
  readonly held?: string | undefined;
  /** Whether a rollout that has come to a stop is about to go on in another way. */
  readonly rescueDue?: boolean | undefined;
}

type Phase = Pick<WorkloadStatus, 'phase' | 'message'>;

/** How one Deployment is doing, in a word and a sentence. */
export function workloadStatus({
  view,
  pods,
  suspended,
  hasModel,
  missing,
  held,
  rescueDue,
}: Workload): WorkloadStatus {
  if (suspended && (view?.totalReplicas ?? 0) === 0) {
    return { ...countsOf(view), phase: 'Suspended', message: 'No pods run, as the spec asks.' };
  }
  const problem = firstProblem(pods, missing);
  // Before the Deployment's own controller has looked at it, there is nothing to count.
  if (view?.begun !== true) return waitingFor(problem, 'The pods are about to be made.');
  if (held !== undefined) return { ...countsOf(view), phase: 'Waiting', message: held };
  if (rescueDue === true) return { ...countsOf(view), ...waitingFor(problem ?? view.stalled, countsSentence(view)) };
  return { ...countsOf(view), ...phaseOf(view, problem, loadingSentence(view, pods, hasModel)) };
}

function countsOf(view: DeploymentView | undefined): WorkloadStatus {
  if (view?.begun !== true) return {};
  const { replicas, readyReplicas, updatedReplicas } = view;
  return { replicas, readyReplicas, updatedReplicas };
}

/**
 * The first problem that a pod reports; pods are looked at in a stable order so that it does not flicker. If we know what
 * is missing, our sentence says more than the scheduler's, which only counts what each node lacks.
 */
export function firstProblem(pods: readonly PodView[], missing?: string): string | undefined {
  return pods
    .flatMap(({ problem, unschedulableSince }) => {
      return (unschedulableSince === undefined ? problem : (missing ?? problem)) ?? [];
    })
    .sort()
    .at(0);
}

function countsSentence({ readyReplicas, replicas, updatedReplicas }: DeploymentView): string {
  return `${readyReplicas} of ${replicas} pods ready, ${updatedReplicas} with the newest configuration.`;
}

/** How many pods load what they serve; nothing if none does. */
function loadingSentence(
  { replicas }: DeploymentView,
  pods: readonly PodView[],
  hasModel: boolean,
): string | undefined {
  const loading = pods.filter((pod) => pod.loading).length;
  if (loading === 0) return undefined;
  // A rollout may have more pods than wanted.
  const all = Math.max(replicas, pods.filter(({ leaving }) => !leaving).length);
  const one = loading === 1;
  const what = hasModel ? `loading ${one ? 'its' : 'their'} model` : 'starting';
  return `${loading} of ${all} pods ${one ? 'is' : 'are'} ${what}.`;
}

/** A rollout whose pods are still loading is not late: their startup probes say how long they may take. */
function phaseOf(view: DeploymentView, problem: string | undefined, loading: string | undefined): Phase {
  const counts = countsSentence(view);
  const late = view.overdue === true && problem === undefined && loading !== undefined;
  if (view.stalled !== undefined && !late) return { phase: 'Failed', message: problem ?? view.stalled };
  if (!isRolling(view) && view.readyReplicas >= view.replicas) return { phase: 'Ready', message: counts };
  return waitingFor(problem, loading ?? counts);
}

function waitingFor(problem: string | undefined, otherwise: string): Phase {
  return problem === undefined ? { phase: 'Progressing', message: otherwise } : { phase: 'Waiting', message: problem };
}
