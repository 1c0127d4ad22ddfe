import { stackGuard } from '../../../components/guards/stack-guard.ts';
import type { InferenceStack, InferenceStackSpec } from '../../../packages/api/types.ts';
import { PODS } from '../../../packages/kube/resource-types.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { EVENTS } from '../../../packages/kube/events.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { createGpuNode, createIngressClass, setPodStatus } from '../kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../kubernetes/control-plane.ts';
import { eventually } from '../machine/eventually.ts';
import { installGuard } from '../kubernetes/install-guard.ts';
import { startControllers, startScheduler } from '../kubernetes/kube-programs.ts';
import { TestOperator } from '../operator/operator.ts';
import type { Program } from '../machine/program.ts';
import { createNamespace, getStack, newStack, STACKS } from '../operator/stack-api.ts';
import { startPlane } from '../operator/stack-plane.ts';

/** Something that model teams do wrong, and how the cluster reacts. */
export interface Mistake {
  /** The first cell of its row in docs/how-to/fix-a-stack.md. */
  readonly title: string;
  readonly spec: InferenceStackSpec;
  /** What its author changes, by a merge patch, once it is served. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** The label `operatorVersion`; null for none. */
  readonly label?: string | null;
  /** What is in the namespace before the stack. */
  readonly before?: readonly { readonly plural: string; readonly object: KubernetesObject }[];
  /** What the kubelet reports about the container of the application `llm`. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** An Event that the kubelet writes about the pod. */
  readonly event?: { readonly reason: string; readonly message: string };
}

const CONTROLLERS = ['deployment-controller', 'replicaset-controller', 'resourcequota-controller'];

/**
 * People who write stacks called `chat` with an application `llm`, each in a namespace of its own, in a cluster with the
 * guards, a scheduler and the controllers of Kubernetes. There are no kubelets: the tests report in their place.
 */
export class ModelTeam {
  readonly #plane: ControlPlane;
  readonly #programs: readonly Program[];
  readonly #operator: TestOperator;
  #namespaces = 0;

  private constructor(plane: ControlPlane, programs: readonly Program[], operator: TestOperator) {
    this.#plane = plane;
    this.#programs = programs;
    this.#operator = operator;
  }

  static async start(): Promise<ModelTeam> {
    const plane = await startPlane([3]);
    const programs = [await startControllers(plane, CONTROLLERS), await startScheduler(plane)];
    await createGpuNode(plane.client, 'gpu-1', 'A100', 2);
    const operator = await TestOperator.start(plane.connection, { version: '3.4.2' });
    await createIngressClass(plane.client, 'nginx');
    await guard(plane.client);
    return new ModelTeam(plane, programs, operator);
  }

  /** Makes the mistake, and lets the cluster react to it. Returns the namespace of the stack. */
  async make({ spec, change, label = 'v3', before = [], container, event }: Mistake): Promise<string> {
    const { client } = this.#plane;
    this.#namespaces += 1;
    const namespace = `team-${this.#namespaces}`;
    await createNamespace(client, namespace);
    for (const { plural, object } of before) {
      const type = { group: '', version: 'v1', kind: object.kind, plural, namespaced: true };
      await client.create(type, { ...object, metadata: { ...object.metadata, namespace } });
    }
    const stack = newStack(namespace, 'chat', spec, label ?? '');
    if (label === null) delete stack.metadata.labels;
    await client.create(STACKS, stack);
    if (change !== undefined) await this.#change(namespace, change);
    if (container !== undefined) await this.#tell(namespace, container, event);
    return namespace;
  }

  async stack(namespace: string): Promise<InferenceStack> {
    return getStack(this.#plane.client, namespace, 'chat');
  }

  async kubeconfig(): Promise<string> {
    return this.#plane.kubeconfig();
  }

  async stop(): Promise<void> {
    await this.#operator.stop();
    await Promise.all(this.#programs.map((program) => program.stop('SIGKILL')));
    await this.#plane.stop();
  }

  async #change(namespace: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
    await eventually(async () => {
      const { status } = await this.stack(namespace);
      if (status?.observedGeneration === undefined) throw new Error('the stack is not served yet');
    });
    await this.#plane.client.mergePatch(STACKS, { namespace, name: 'chat' }, { spec });
  }

  async #tell(namespace: string, container: object, event: Mistake['event']): Promise<void> {
    const { client } = this.#plane;
    const { metadata, spec } = await eventually(async () => {
      const labelSelector = 'app.kubernetes.io/component=application-llm';
      const [pod] = await client.listAll(PODS, { namespace, labelSelector });
      if ((pod?.['spec'] as { nodeName?: string } | undefined)?.nodeName === undefined) throw new Error('no pod yet');
      return pod as KubernetesObject & { spec: { containers: { name: string; image: string }[] } };
    });
    const [{ name, image } = { name: '', image: '' }] = spec.containers;
    const status = { name, image, imageID: '', ready: false, restartCount: 0, ...container };
    if (event !== undefined) {
      await client.create(EVENTS, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: `${metadata.name}.1`, namespace },
        involvedObject: { kind: 'Pod', namespace, name: metadata.name, uid: metadata.uid },
        type: 'Warning',
        ...event,
        lastTimestamp: new Date().toISOString(),
      });
    }
    await setPodStatus(client, namespace, metadata.name, { phase: 'Pending', containerStatuses: [status] });
  }
}

/** Installs the guard of stacks, and waits until the API server knows it. */
async function guard(client: Client): Promise<void> {
  const stacks = stackGuard([3]);
  await installGuard(client, stacks);
  let tries = 0;
  await eventually(async () => {
    tries += 1;
    const created = await client.create(STACKS, newStack('team-a', `probe-${tries}`, {}, 'v7')).catch(() => undefined);
    if (created !== undefined) throw new Error('the guard is not in force yet');
  });
}
