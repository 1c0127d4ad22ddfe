import type { Cluster } from '../../../components/waits/explain.ts';
import type { Pod } from '../../../components/waits/symptom.ts';
import { ApiError } from '../../../packages/kube/client/api-error.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const NAMESPACE = 'olmv1-system';
export const CATALOGD = 'catalogd-controller-manager';
export const CATALOGD_POD = `${CATALOGD}-7d9f8c6b5-x2x4z`;

/** A Deployment of one replica whose newest pod is not ready, and an old one that serves. */
export function rollingDeployment(status: object = {}): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: CATALOGD, namespace: NAMESPACE, uid: 'd', generation: 2, annotations: { [REVISION]: '2' } },
    spec: { replicas: 1, selector: { matchLabels: { app: 'catalogd' } } },
    status: {
      observedGeneration: 2,
      replicas: 2,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      ...status,
    },
  };
}

/** The same with only its newest pod, which is ready. */
export function rolledOutDeployment(): KubernetesObject {
  return rollingDeployment({ replicas: 1 });
}

/** Of the Deployment above. */
export function replicaSet(uid: string, revision: string): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${CATALOGD}-${uid}`,
      namespace: NAMESPACE,
      uid,
      annotations: { [REVISION]: revision },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: CATALOGD, uid: 'd' }],
    },
  };
}

export function waitingPod(status: Pod['status'], more: Partial<Pod> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: CATALOGD_POD,
      namespace: NAMESPACE,
      uid: 'p',
      creationTimestamp: '2026-03-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: CATALOGD, uid: 'new' }],
    },
    status,
    ...more,
  };
}

export function unschedulable(message: string): NonNullable<Pod['status']> {
  return {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  };
}

/** A pod on a node that has set up everything except the image, or not. */
export function pullingPod(status: 'True' | 'False'): Pod {
  const state = { waiting: { reason: 'ContainerCreating' } };
  const lastTransitionTime = new Date(0).toISOString();
  return waitingPod(
    {
      phase: 'Pending',
      conditions: [{ type: 'PodReadyToStartContainers', status, lastTransitionTime }],
      containerStatuses: [{ name: 'manager', image: 'registry.example/catalogd:v1', ready: false, state }],
    },
    { spec: { nodeName: 'a' } },
  );
}

export function crashing(restartCount: number): NonNullable<Pod['status']> {
  const lastState = { terminated: { exitCode: 1, reason: 'Error' } };
  const state = { waiting: { reason: 'CrashLoopBackOff' } };
  return { phase: 'Running', containerStatuses: [{ name: 'manager', ready: false, restartCount, state, lastState }] };
}

export function node(
  name: string,
  more: { labels?: object; taints?: object[]; allocatable?: object } = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...more.labels } },
    spec: { taints: more.taints ?? [] },
    status: {
      allocatable: { cpu: '2', memory: '8Gi', ...more.allocatable },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
}

/** An object of OLM with the status of its controller. */
export function progressing(kind: string, name: string, reason: string, message: string): KubernetesObject {
  const status = reason === 'Blocked' ? 'False' : 'True';
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind,
    metadata: { name, generation: 1 },
    status: { conditions: [{ type: 'Progressing', status, reason, message, observedGeneration: 1 }] },
  };
}

/** A cluster with some objects that counts requests. A request for a log gets it, or a refusal. */
export class FakeCluster implements Cluster {
  objects: readonly KubernetesObject[];
  log: string | undefined;
  readonly asked: string[] = [];

  constructor(objects: readonly KubernetesObject[] = [], log?: string) {
    this.objects = objects;
    this.log = log;
  }

  async listAll(type: ResourceType): Promise<KubernetesObject[]> {
    this.asked.push(type.plural);
    return Promise.resolve(this.objects.filter(({ kind }) => kind === type.kind));
  }

  async listEach(
    type: ResourceType,
    _options: object,
    onItem: (item: KubernetesObject) => void,
  ): Promise<{ resourceVersion: string }> {
    for (const item of await this.listAll(type)) onItem(item);
    return { resourceVersion: '1' };
  }

  async raw(path: string): Promise<unknown> {
    this.asked.push(path);
    if (this.log === undefined) throw new ApiError(`GET ${path}`, 403, { message: 'no' });
    return Promise.resolve(this.log);
  }
}
