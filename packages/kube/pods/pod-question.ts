import { isLoading } from './loading.ts';
import { isKilled, PULLING, STARTING, type PodStatus } from './pod-problem.ts';
import type { PodSpec } from './requests.ts';

/** A question that only Events about a pod answer, not its own status. */
export interface PodQuestion {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Only Events with this reason matter; any warning when missing. */
  readonly reason?: string;
  /** How Events begin that are about what has passed since. */
  readonly past?: string;
  /** What is said of the pod before what the Events say. */
  readonly problem: 'cannot start' | 'is not ready';
  /** When it is worth asking, in milliseconds since the epoch: most pods recover by themselves before. */
  readonly askFrom: number;
}

interface PodFields {
  readonly metadata: { name: string; namespace?: string; uid?: string; creationTimestamp?: string };
  readonly spec?: PodSpec | undefined;
  readonly status?: PodStatus | undefined;
}

/** The reason of Events about Secrets that a pull was to use. */
export const NO_PULL_SECRET = 'FailedToRetrieveImagePullSecret';

/** Most pods have their volumes within this time. */
const START_PATIENCE_MS = 5_000;

/** A model that loads for longer than this is worth a message, where no startup probe says that it loads. */
const READY_PATIENCE_MS = 60_000;

/** How Events about startup probes begin. */
const STARTUP = 'Startup probe ';

/**
 * A container that lacks a Secret for its environment says so. A pod that waits for a volume does not, nor one that pulls
 * its image without the Secret that it was to use, nor one whose probe fails. While a startup probe has not passed, there is nothing to ask.
 */
export function podQuestion({ metadata, spec, status }: PodFields): PodQuestion | undefined {
  const { name, namespace = '', uid = '', creationTimestamp = '' } = metadata;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waits = (reasons: ReadonlySet<string>): boolean =>
    containers.some(({ state }) => reasons.has(state?.waiting?.reason ?? ''));
  const pod = { uid, name, namespace };
  const start = {
    ...pod,
    problem: 'cannot start',
    askFrom: Date.parse(creationTimestamp) + START_PATIENCE_MS,
  } as const;
  if (waits(PULLING)) {
    const named = (spec?.imagePullSecrets ?? []).length > 0;
    return named ? { ...start, reason: NO_PULL_SECRET } : undefined;
  }
  if (spec?.nodeName !== undefined && waits(STARTING) && !isMounted(status)) return start;
  if (containers.some(isKilled)) return { ...start, reason: 'Unhealthy' };
  const startedAt = isLoading(spec, status) ? undefined : unreadySince(status);
  if (startedAt === undefined) return undefined;
  const askFrom = startedAt + READY_PATIENCE_MS;
  return { ...pod, problem: 'is not ready', reason: 'Unhealthy', past: STARTUP, askFrom };
}

/** The condition of a pod whose volumes and network are there. What comes next is its images. */
export const READY_TO_START = 'PodReadyToStartContainers';

function isMounted(status: PodStatus | undefined): boolean {
  return (status?.conditions ?? []).some((each) => each.type === READY_TO_START && each.status === 'True');
}

/** When the container that runs and is not ready was started. */
function unreadySince(status: PodStatus | undefined): number | undefined {
  const container = status?.containerStatuses?.find(
    ({ ready, state }) => ready === false && state?.running !== undefined,
  );
  const startedAt = container?.state?.running?.startedAt;
  return startedAt === undefined ? undefined : Date.parse(startedAt);
}
