interface ContainerState {
  waiting?: { reason?: string; message?: string };
  terminated?: { exitCode: number; reason?: string; message?: string };
}

interface ContainerStatus {
  name: string;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  conditions?: { type: string; status: string; reason?: string; message?: string }[];
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
}

/** Waiting reasons that pass by themselves. */
const NORMAL = new Set(['ContainerCreating', 'PodInitializing']);

/** What keeps a pod from running, as the scheduler and the kubelet say it; nothing when it is well or just starting. */
export function podProblem(pod: string, status: PodStatus | undefined): string | undefined {
  if (status === undefined) return undefined;
  if (status.phase === 'Failed') {
    return `Pod ${pod} failed: ${sentence(status.reason ?? 'Failed', status.message)}`;
  }
  const scheduled = scheduling(status);
  if (scheduled?.status === 'False') {
    return `Pod ${pod} cannot be scheduled: ${sentence(scheduled.reason ?? 'Unschedulable', scheduled.message)}`;
  }
  for (const container of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const problem = containerProblem(container);
    if (problem !== undefined) return `Pod ${pod}, container ${container.name}: ${problem}`;
  }
  return undefined;
}

/** Whether the scheduler has looked for a node and found none. */
export function isUnschedulable(status: PodStatus | undefined): boolean {
  return scheduling(status)?.status === 'False';
}

function scheduling(status: PodStatus | undefined): NonNullable<PodStatus['conditions']>[number] | undefined {
  return status?.conditions?.find(({ type }) => type === 'PodScheduled');
}

function containerProblem({ state, lastState, restartCount = 0 }: ContainerStatus): string | undefined {
  const ended = state?.terminated ?? lastState?.terminated;
  const { waiting } = state ?? {};
  if (waiting?.reason === 'CrashLoopBackOff' && ended !== undefined) {
    return `crashes again and again (${restartCount} restarts): ${terminated(ended)}`;
  }
  if (waiting?.reason !== undefined && !NORMAL.has(waiting.reason)) return sentence(waiting.reason, waiting.message);
  if (state?.terminated !== undefined && state.terminated.exitCode !== 0) return terminated(state.terminated);
  return undefined;
}

function terminated({ exitCode, reason, message }: NonNullable<ContainerState['terminated']>): string {
  if (reason === 'OOMKilled') {
    return `was killed because it used more memory than its limit (OOMKilled, exit code ${exitCode})`;
  }
  return sentence(`ended with exit code ${exitCode}`, message);
}

function sentence(reason: string, message: string | undefined): string {
  return message === undefined || message === '' ? reason : `${reason}: ${message.trim()}`;
}
