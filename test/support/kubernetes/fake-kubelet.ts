import { PODS } from '../../../packages/kube/resource-types.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { setPodStatus } from './cluster-objects.ts';

interface Pod extends KubernetesObject {
  spec: { nodeName?: string; containers: { name: string; image: string }[] };
  status?: { phase?: string };
}

/** Does for the pods of a namespace what kubelets would, but only when a test calls it. */
export class FakeKubelet {
  readonly #client: Client;
  readonly #namespace: string;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Pods that have a node and are not being deleted; of a component, or all. */
  async pods(component?: string): Promise<Pod[]> {
    const pods = await this.#list(component === undefined ? undefined : `app.kubernetes.io/component=${component}`);
    return pods.filter(({ spec, metadata }) => spec.nodeName !== undefined && metadata.deletionTimestamp === undefined);
  }

  /** Makes every pod that has a node run and be ready. */
  async startAll(component?: string): Promise<void> {
    // Without the time a pod never counts as available where it has to be ready for some seconds.
    const lastTransitionTime = new Date().toISOString();
    for (const pod of await this.pods(component)) {
      if (pod.status?.phase === 'Running') continue;
      await setPodStatus(this.#client, this.#namespace, pod.metadata.name, {
        phase: 'Running',
        conditions: ['PodScheduled', 'Ready', 'ContainersReady'].map((type) => ({
          type,
          status: 'True',
          lastTransitionTime,
        })),
        containerStatuses: pod.spec.containers.map(({ name, image }) => ({
          name,
          image,
          imageID: image,
          ready: true,
          restartCount: 0,
          state: { running: {} },
        })),
      });
    }
  }

  /** Removes the pods that are being deleted. */
  async finishAll(): Promise<void> {
    for (const { metadata } of await this.#list()) {
      if (metadata.deletionTimestamp === undefined) continue;
      await this.#client.delete(PODS, metadata, { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } });
    }
  }

  async #list(labelSelector?: string): Promise<Pod[]> {
    return (await this.#client.listAll(PODS, { namespace: this.#namespace, labelSelector })) as Pod[];
  }
}
