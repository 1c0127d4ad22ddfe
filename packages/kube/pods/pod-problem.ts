import { isEmpty } from '../../lib/values.ts';
import { PART_LIMIT, shortened } from '../../lib/message.ts';
import { schedulingProblem } from './scheduling-problem.ts';
import { pullProblem } from './pull-problem.ts';

interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: { exitCode: number; reason?: string; message?: string };
}

interface ContainerStatus {
  name: string;
  image?: string;
  ready?: boolean;
  /** Whether it has passed its startup probe, if it has one. */
  started?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  conditions?: {
    type: string;
    status: string;
    reason?: string;
    message?: string;
    lastTransitionTime?: string | null;
  }[];
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
}

/** Waiting reasons of a container whose image cannot be pulled. */
export const PULLING: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

/** Waiting reasons of a container that is being started: they pass by themselves, unless a volume does not come. */
export const STARTING: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/**
 * What keeps a pod from running, as the scheduler and the kubelet say it, in one line; nothing when it is well or just
 * starting.
 */
export function podProblem(pod: string, status: PodStatus | undefined): string | undefined {
  const problem = status === undefined ? undefined : problemOf(pod, status);
  return problem === undefined ? undefined : shortened(problem, PART_LIMIT);
}

function problemOf(pod: string, status: PodStatus): string | undefined {
  if (status.phase === 'Failed') return `Pod ${pod} failed: ${sentence(status.reason ?? 'Failed', status.message)}`;
  const scheduled = scheduling(status);
  if (scheduled?.status === 'False') return schedulingProblem(pod, scheduled.message);
  for (const container of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const problem = containerProblem(container);
    if (problem !== undefined) return `Pod ${pod}${named(container.name, pod)}: ${problem}`;
  }
  return undefined;
}

/** The main container and the pods are named after the Deployment, so only another container needs its name. */
function named(container: string, pod: string): string {
  return pod.startsWith(`${container}-`) ? '' : `, container ${container}`;
}

/** Since when the scheduler has looked for a node and found none, in milliseconds since the epoch, if so. */
export function unschedulableSince(status: PodStatus | undefined, created = ''): number | undefined {
  const scheduled = scheduling(status);
  return scheduled?.status === 'False' ? Date.parse(scheduled.lastTransitionTime ?? created) || 0 : undefined;
}

/** What a node lacks that other pods have, in the scheduler's words. */
const ROOM = /Insufficient |anti-affinity|free ports|topology spread|Too many pods|max volume count|ReadWriteOncePod/;

/** What the end of other pods does not help against: missing volumes, and pods that it wants to be near. */
const ELSEWHERE = /persistentvolume|pod affinity rules|volume node affinity|not found/i;

/** Whether the end of other pods may be what a pod without a node waits for. */
export function waitsForRoom(status: PodStatus | undefined): boolean {
  const { status: scheduled, message = '' } = scheduling(status) ?? {};
  return scheduled === 'False' && (ROOM.test(message) || !ELSEWHERE.test(message));
}

function scheduling(status: PodStatus | undefined): NonNullable<PodStatus['conditions']>[number] | undefined {
  return status?.conditions?.find(({ type }) => type === 'PodScheduled');
}

function containerProblem({ state, lastState, restartCount = 0 }: ContainerStatus): string | undefined {
  const ended = state?.terminated ?? lastState?.terminated;
  const { waiting } = state ?? {};
  if (waiting?.reason === 'CrashLoopBackOff' && ended !== undefined) {
    return `keeps crashing (${restartCount} restarts): ${terminated(ended)}`;
  }
  if (waiting?.reason !== undefined && PULLING.has(waiting.reason)) return pullProblem(waiting.reason, waiting.message);
  if (waiting?.reason !== undefined && !STARTING.has(waiting.reason)) return sentence(waiting.reason, waiting.message);
  if (state?.terminated !== undefined && state.terminated.exitCode !== 0) return terminated(state.terminated);
  return undefined;
}

/** Exit codes after the signals KILL and TERM, which kubelets send when a liveness probe fails. */
const KILLED: ReadonlySet<number> = new Set([137, 143]);

/** Whether a container that starts again and again was killed, and not for its use of memory. */
export function isKilled({ state, lastState }: ContainerStatus): boolean {
  const { exitCode = 0, reason } = lastState?.terminated ?? {};
  return state?.waiting?.reason === 'CrashLoopBackOff' && KILLED.has(exitCode) && reason !== 'OOMKilled';
}

function terminated({ exitCode, reason, message }: NonNullable<ContainerState['terminated']>): string {
  if (reason === 'OOMKilled') {
    return `was killed for using more memory than its limit (OOMKilled): raise resources.limits.memory`;
  }
  if (KILLED.has(exitCode)) return sentence(`was killed (exit code ${exitCode})`, message);
  const code = `ended with exit code ${exitCode}`;
  return isEmpty(message) ? `${code}: kubectl logs --previous shows why` : sentence(code, message);
}

function sentence(reason: string, message: string | undefined): string {
  return message === undefined || message === '' ? reason : `${reason}: ${message.trim()}`;
}
