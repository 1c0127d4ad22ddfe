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
  /** Whether these are GPUs, which others may free, rather than a node of another kind. */
  readonly lacksGpus?: boolean | undefined;
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
  lacksGpus,
  held,
  rescueDue,
}: Workload): WorkloadStatus {
  if (suspended && (view?.totalReplicas ?? 0) === 0) {
    return { ...countsOf(view), phase: 'Suspended', message: 'No pods run, as the spec asks.' };
  }
  if (held !== undefined) return { ...countsOf(view), phase: 'Waiting', message: held };
  const problem = firstProblem(pods, missing);
  // Before the Deployment's own controller has looked at it, there is nothing to count.
  if (view?.begun !== true) return waitingFor(problem, 'The pods are about to be made.');
  if (rescueDue === true) return { ...countsOf(view), ...waitingFor(problem ?? view.stalled, countsSentence(view)) };
  // A rollout is only late, and has not failed, while all that it waits for may still come by itself.
  const waits = lacksGpus === true && onlyLacksNodes(pods);
  return { ...countsOf(view), ...phaseOf(view, problem, loadingSentence(view, pods, hasModel), waits) };
}

/** Whether there are pods without a node, and no pod has another problem. */
function onlyLacksNodes(pods: readonly PodView[]): boolean {
  const troubled = pods.filter(({ problem }) => problem !== undefined);
  return troubled.length > 0 && troubled.every(({ unschedulableSince }) => unschedulableSince !== undefined);
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

/**
 * A rollout whose pods are still loading has not failed: their startup probes say how long they may take. Nor has one that waits for GPUs,
 * which may become free after any time. Where the API server refuses pods, neither counts.
 */
function phaseOf(
  view: DeploymentView,
  problem: string | undefined,
  loading: string | undefined,
  waitsForGpus: boolean,
): Phase {
  const counts = countsSentence(view);
  const isLoading = problem === undefined && loading !== undefined;
  const late = view.overdue === true && (isLoading || waitsForGpus);
  if (view.stalled !== undefined && !late) return { phase: 'Failed', message: problem ?? view.stalled };
  if (!isRolling(view) && view.readyReplicas >= view.replicas) return { phase: 'Ready', message: counts };
  return waitingFor(problem, loading ?? counts);
}

function waitingFor(problem: string | undefined, otherwise: string): Phase {
  return problem === undefined ? { phase: 'Progressing', message: otherwise } : { phase: 'Waiting', message: problem };
}
