import type { PodStatus } from './pod-problem.ts';

/** What a pod's own status does not tell: only Events about the pod do. */
export interface PodQuestion {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Only Events with this reason matter; any warning when missing. */
  readonly reason?: string;
  /** Since when the pod has been there, in milliseconds of the epoch. */
  readonly since: number;
}

interface AskedPod {
  readonly metadata: { name: string; namespace?: string; uid?: string; creationTimestamp?: string };
  readonly spec?: { nodeName?: string; imagePullSecrets?: readonly unknown[] };
  readonly status?: PodStatus;
}

const STARTING = new Set(['ContainerCreating', 'PodInitializing']);
const PULLING = new Set(['ErrImagePull', 'ImagePullBackOff']);

/**
 * A container that lacks a Secret for its environment says so. A pod that waits for a volume does not, nor one that pulls
 * its image without the Secret that it was to use.
 */
export function podQuestion({ metadata, spec, status }: AskedPod): PodQuestion | undefined {
  const { name, namespace = '', uid = '', creationTimestamp = '' } = metadata;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waits = (reasons: ReadonlySet<string>): boolean =>
    containers.some(({ state }) => reasons.has(state?.waiting?.reason ?? ''));
  const asked = { uid, name, namespace, since: Date.parse(creationTimestamp) };
  if (waits(PULLING)) {
    const named = (spec?.imagePullSecrets ?? []).length > 0;
    return named ? { ...asked, reason: 'FailedToRetrieveImagePullSecret' } : undefined;
  }
  const mounted = status?.conditions?.some(
    (condition) => condition.type === 'PodReadyToStartContainers' && condition.status === 'True',
  );
  return waits(STARTING) && mounted !== true && spec?.nodeName !== undefined ? asked : undefined;
}
