import { definedOnly } from '../../../packages/lib/values.ts';
import { INGRESS_CLASSES } from '../../../controller/src/reconcile/ingress-classes.ts';
import { NODES, PODS } from '../../../packages/kube/resource-types.ts';
import type { Client } from '../../../packages/kube/client/client.ts';

export const GPU = 'nvidia.com/gpu';
const PRODUCT_LABEL = 'nvidia.com/gpu.product';

/** A ready node with GPUs, as a kubelet, the device plugin and GPU feature discovery would describe it. */
export async function createGpuNode(client: Client, name: string, product: string, gpus: number): Promise<void> {
  await client.create(NODES, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [PRODUCT_LABEL]: product } },
    // Admission taints a new node until its kubelet reports.
    spec: { taints: [] },
  });
  await client.mergePatch(NODES, { name }, { spec: { taints: null } });
  const amounts = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };
  const resources = { ...amounts, [GPU]: String(gpus) };
  await client.mergePatch(
    NODES,
    { name },
    { status: { capacity: resources, allocatable: resources, conditions: [{ type: 'Ready', status: 'True' }] } },
    { subresource: 'status' },
  );
}

/** An IngressClass as an ingress controller brings it. */
export async function createIngressClass(client: Client, name: string, isDefault = false): Promise<void> {
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': String(isDefault) };
  await client.create(INGRESS_CLASSES, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name, annotations },
    spec: { controller: `example.com/${name}` },
  });
}

/** The labels by which the operator finds the pods of an application. */
export function podLabels(stack: string, application: string): Record<string, string> {
  return {
    'app.kubernetes.io/managed-by': 'inference-stack-operator',
    'app.kubernetes.io/instance': stack,
    'app.kubernetes.io/component': `application-${application}`,
  };
}

export interface PodInput {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Record<string, string>;
  readonly node?: string;
  readonly gpus?: number;
}

export async function createPod(client: Client, { namespace, name, labels, node, gpus }: PodInput): Promise<void> {
  const resources = gpus === undefined ? {} : { limits: { [GPU]: String(gpus) } };
  await client.create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: definedOnly({ name, namespace, labels }),
    spec: { nodeName: node, containers: [{ name: 'main', image: 'example.com/main:1', resources }] },
  });
}

export async function setPodStatus(
  client: Client,
  namespace: string,
  name: string,
  status: Record<string, unknown>,
): Promise<void> {
  await client.mergePatch(PODS, { namespace, name }, { status }, { subresource: 'status' });
}

/** Reports what a Deployment's controller would when all pods of the newest configuration are ready. */
export function readyDeploymentStatus(generation: number, replicas: number): Record<string, unknown> {
  return {
    status: {
      observedGeneration: generation,
      replicas,
      readyReplicas: replicas,
      updatedReplicas: replicas,
      availableReplicas: replicas,
    },
  };
}
