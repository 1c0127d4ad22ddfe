import { PART_LIMIT, shortened } from '../../lib/message.ts';
import type { KubernetesObject } from '../object.ts';

/** What a Deployment says about its pods. */
export interface DeploymentView {
  /** Wanted pods, whoever set the number. */
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly updatedReplicas: number;
  readonly availableReplicas: number;
  /** Pods of the present and of earlier configurations. */
  readonly totalReplicas: number;
  /** Whether the Deployment's own controller has seen it at all. */
  readonly begun: boolean;
  /** Whether the Deployment's own controller has seen the newest spec. */
  readonly observed: boolean;
  /** The reason, if the rollout has made no progress within the Deployment's deadline, or pods are refused. */
  readonly stalled: string | undefined;
  /** Whether it is only late: no pod is refused. */
  readonly overdue?: boolean;
  /** Since when a quota has refused pods that are wanted, in milliseconds since the epoch, if so. */
  readonly overQuotaSince?: number | undefined;
}

interface Deployment extends KubernetesObject {
  spec?: { replicas?: number };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    readyReplicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    conditions?: DeploymentCondition[];
  };
}

interface DeploymentCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export function deploymentView(object: KubernetesObject): DeploymentView | undefined {
  if (object.kind !== 'Deployment') return undefined;
  const { spec, status = {}, metadata } = object as Deployment;
  const failures = (status.conditions ?? []).filter((condition) => isLate(condition) || isRefused(condition));
  const [failure] = failures;
  const refused = status.conditions?.find(
    (condition) => isRefused(condition) && condition.message?.includes('exceeded quota') === true,
  );
  return {
    replicas: spec?.replicas ?? 1,
    readyReplicas: status.readyReplicas ?? 0,
    updatedReplicas: status.updatedReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
    totalReplicas: status.replicas ?? 0,
    begun: status.observedGeneration !== undefined,
    observed: (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    stalled: failure?.message === undefined ? undefined : shortened(failure.message, PART_LIMIT),
    overdue: failures.some(isLate) && !failures.some(isRefused),
    overQuotaSince: refused === undefined ? undefined : Date.parse(refused.lastTransitionTime ?? '') || 0,
  };
}

function isLate({ type, status, reason }: DeploymentCondition): boolean {
  return type === 'Progressing' && status === 'False' && reason === 'ProgressDeadlineExceeded';
}

function isRefused({ type, status }: DeploymentCondition): boolean {
  return type === 'ReplicaFailure' && status === 'True';
}

/** Whether pods of an earlier configuration are still being replaced. */
export function isRolling(view: DeploymentView): boolean {
  return !view.observed || view.updatedReplicas < view.replicas || hasOldPods(view);
}

/** Whether there are pods of an earlier configuration. */
export function hasOldPods({ totalReplicas, updatedReplicas }: DeploymentView): boolean {
  return totalReplicas > updatedReplicas;
}
