import type { Client } from '../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../packages/kube/object.ts';
import type { Layout } from './layout.ts';
import type { Gpus, SimulatedNode } from './settings.ts';

const FIELD_MANAGER = 'inference-stack-fleet-cluster';

const CLUSTER_ROLE: ResourceType = type('rbac.authorization.k8s.io', 'v1', 'ClusterRole', 'clusterroles', false);
const BINDING: ResourceType = type(
  'rbac.authorization.k8s.io',
  'v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
  false,
);
const SERVICE: ResourceType = type('', 'v1', 'Service', 'services', true);
const SLICE: ResourceType = type('discovery.k8s.io', 'v1', 'EndpointSlice', 'endpointslices', true);
export const NODE: ResourceType = type('', 'v1', 'Node', 'nodes', false);

/** What the cluster needs beside its processes: rights for two of them, and an address for its DNS. */
export async function applyBasics(client: Client, layout: Layout): Promise<void> {
  for (const [resource, object] of basics(layout)) {
    await client.apply(resource, object, { fieldManager: FIELD_MANAGER, force: true });
  }
}

/** Advertises GPUs on the node as the device plugin and GPU feature discovery do. */
export async function advertiseGpus(client: Client, node: string, gpus: Gpus): Promise<void> {
  const resources = { 'nvidia.com/gpu': String(gpus.count) };
  await client.mergePatch(NODE, { name: node }, { metadata: { labels: gpuLabels(gpus) } });
  const status = { status: { capacity: resources, allocatable: resources } };
  await client.mergePatch(NODE, { name: node }, status, { subresource: 'status' });
}

/** A node that kwok keeps ready. The taint keeps away what does not ask for a GPU, because nothing really runs there. */
export async function applySimulatedNode(client: Client, node: SimulatedNode): Promise<void> {
  const resources = { cpu: '64', memory: '512Gi', pods: '110', 'nvidia.com/gpu': String(node.gpus.count) };
  const object: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      labels: { type: 'kwok', 'kubernetes.io/hostname': node.name, ...gpuLabels(node.gpus) },
    },
    spec: { taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }] },
  };
  await client.apply(NODE, object, { fieldManager: FIELD_MANAGER, force: true });
  const status = { status: { capacity: resources, allocatable: resources } };
  await client.mergePatch(NODE, { name: node.name }, status, { subresource: 'status' });
}

/** The labels of GPU feature discovery that people select by. */
export function gpuLabels(gpus: Gpus): Record<string, string> {
  if (gpus.count === 0) return {};
  return {
    'nvidia.com/gpu.present': 'true',
    'nvidia.com/gpu.product': gpus.product,
    'nvidia.com/gpu.count': String(gpus.count),
    'nvidia.com/gpu.memory': String(gpus.memory),
  };
}

function basics(layout: Layout): [ResourceType, KubernetesObject][] {
  const dnsPorts = [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ];
  const dns = { name: 'kube-dns', namespace: 'kube-system' };
  const read = ['list', 'watch'];
  return [
    [
      CLUSTER_ROLE,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'system:coredns' },
        rules: [
          { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: read },
          { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
        ],
      },
    ],
    [BINDING, bindUser('system:coredns', 'system:coredns', 'coredns')],
    [BINDING, bindUser('kube-apiserver-kubelet-client', 'system:kubelet-api-admin', 'kube-apiserver-kubelet-client')],
    [
      SERVICE,
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { ...dns, labels: { 'k8s-app': 'kube-dns' } },
        spec: { clusterIP: layout.dnsAddress, ports: dnsPorts },
      },
    ],
    [
      SLICE,
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { ...dns, labels: { 'kubernetes.io/service-name': dns.name } },
        addressType: 'IPv4',
        ports: dnsPorts,
        endpoints: [{ addresses: [layout.nodeAddress], conditions: { ready: true } }],
      },
    ],
  ];
}

function bindUser(name: string, role: string, user: string): KubernetesObject {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  };
}

function type(group: string, version: string, kind: string, plural: string, namespaced: boolean): ResourceType {
  return { group, version, kind, plural, namespaced };
}
