import { isManaged, MANAGED_BY_OPERATOR } from '../../../packages/api/labels.ts';
import { COMPONENT_LABEL, INSTANCE_LABEL } from '../../../packages/render/names.ts';
import {
  hasEnded,
  heldDevices,
  isExtendedResource,
  requestsOf,
  type PodSpec,
} from '../../../packages/kube/pods/requests.ts';
import { objectKey, type KubernetesObject } from '../../../packages/kube/object.ts';
import type { Versioned } from '../../../packages/kube/watch/store.ts';
import { isLoading } from '../../../packages/kube/pods/loading.ts';
import {
  podProblem,
  unschedulableSince,
  waitsForRoom,
  type PodStatus,
} from '../../../packages/kube/pods/pod-problem.ts';
import { podQuestion, type PodQuestion } from '../../../packages/kube/pods/pod-question.ts';

/** What is kept of a pod: what it holds on its node, and for our own pods how they are. */
export interface PodView extends Versioned {
  /** `namespace/stack` for pods of a stack. */
  readonly stack: string | undefined;
  readonly component: string | undefined;
  readonly node: string | undefined;
  /** Whether it was told to end. Until it has ended, it keeps what it holds. */
  readonly leaving: boolean;
  /** By when it should have ended, in milliseconds since the epoch, if it was told to. */
  readonly endsBy?: number | undefined;
  /** Extended resources, such as GPUs, that the pod holds or asks for. */
  readonly devices: Readonly<Record<string, number>>;
  /** What else one of our pods asks for: cpu, memory. */
  readonly requests: Readonly<Record<string, number>>;
  /** Whether it runs, and its startup probe has not passed yet. */
  readonly loading: boolean;
  /** Why the pod is not running well, in words for a person. */
  readonly problem: string | undefined;
  /** Since when no node takes the pod, in milliseconds since the epoch, if so. */
  readonly unschedulableSince: number | undefined;
  /** Whether it may find a node when other pods end. */
  readonly waitsForRoom: boolean;
  /** What to ask to learn why the pod does not run. */
  readonly question: PodQuestion | undefined;
}

interface Pod extends KubernetesObject {
  spec?: PodSpec;
  status?: PodStatus;
}

/** Nothing for pods that neither belong to a stack nor hold a device; those that have ended hold none. */
export function keepPod(object: KubernetesObject): PodView | undefined {
  const { metadata, spec, status } = object as Pod;
  const { labels = {} } = metadata;
  const ours = isManaged(labels, MANAGED_BY_OPERATOR) && labels[INSTANCE_LABEL] !== undefined;
  const ended = hasEnded(status);
  const devices = heldDevices(object);
  if (!ours && Object.keys(devices).length === 0) return undefined;
  const leaving = metadata.deletionTimestamp !== undefined;
  const isReported = ours && !leaving;
  return {
    resourceVersion: Number(metadata.resourceVersion),
    stack: ours ? objectKey({ namespace: metadata.namespace, name: labels[INSTANCE_LABEL] ?? '' }) : undefined,
    component: ours ? labels[COMPONENT_LABEL] : undefined,
    node: ended ? undefined : spec?.nodeName,
    leaving,
    endsBy: leaving ? Date.parse(metadata.deletionTimestamp ?? '') || 0 : undefined,
    devices,
    requests: ours && !ended ? requestsOf(spec, (name) => !isExtendedResource(name)) : {},
    loading: isReported && !ended && isLoading(spec, status),
    problem: isReported ? podProblem(metadata.name, status) : undefined,
    unschedulableSince: isReported && !ended ? unschedulableSince(status, metadata.creationTimestamp) : undefined,
    waitsForRoom: isReported && !ended && waitsForRoom(status),
    question: isReported && !ended ? podQuestion({ metadata, spec, status }) : undefined,
  };
}
