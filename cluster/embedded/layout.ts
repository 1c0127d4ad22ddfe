import { join } from 'node:path';
import { refuse } from '../../packages/lib/problem.ts';
import { stateDirectory } from '../../toolchain/places.ts';
import { addressAt } from './cidr.ts';
import { readSettings, settingsPath, type ClusterSettings } from './settings.ts';

/** Every path, address and name of one embedded cluster. They are defined nowhere else. */
export interface Layout {
  readonly name: string;
  /** The directory with all of the cluster's data. */
  readonly root: string;
  readonly pki: string;
  readonly config: string;
  readonly data: string;
  readonly logs: string;
  readonly run: string;
  readonly kubeconfig: string;
  readonly dockerConfig: string;
  readonly containerdSocket: string;
  readonly buildkitSocket: string;
  /** This machine's end of the link, and the cluster's. */
  readonly hostDevice: string;
  readonly hostAddress: string;
  readonly nodeAddress: string;
  readonly linkBits: string;
  readonly podNetwork: string;
  readonly serviceNetwork: string;
  readonly apiServiceAddress: string;
  readonly dnsAddress: string;
  readonly server: string;
  readonly registry: string;
  /** Path below each cgroup hierarchy. */
  readonly cgroup: string;
}

export const API_PORT = 6443;
export const REGISTRY_PORT = 5000;

/** The kernel's limit for the path of a socket, without the closing zero. */
const SOCKET_PATH_LIMIT = 107;

/** The layout of the cluster that environment variables describe, by default those of this process. */
export function configuredLayout(env: NodeJS.ProcessEnv = process.env): Layout {
  return layoutOf(readSettings(settingsPath(env)), env);
}

export function layoutOf(settings: ClusterSettings, env: NodeJS.ProcessEnv = process.env): Layout {
  const root = env['CLUSTER_STATE'] ?? join(stateDirectory(env), `cluster-${settings.name}`);
  const { link, pods, services } = settings.network;
  const nodeAddress = addressAt(link, 2);
  const buildkitSocket = join(root, 'run', 'buildkitd.sock');
  refuse(
    buildkitSocket.length <= SOCKET_PATH_LIMIT
      ? []
      : [
          {
            path: 'CLUSTER_STATE',
            value: root,
            message: `is too long: sockets in it would exceed ${SOCKET_PATH_LIMIT} characters`,
            remedy: 'Set CLUSTER_STATE to a shorter path.',
          },
        ],
  );
  return {
    name: settings.name,
    root,
    pki: join(root, 'pki'),
    config: join(root, 'config'),
    data: join(root, 'data'),
    logs: join(root, 'logs'),
    run: join(root, 'run'),
    kubeconfig: join(root, 'kubeconfig'),
    dockerConfig: join(root, 'docker'),
    containerdSocket: join(root, 'run', 'containerd.sock'),
    buildkitSocket,
    hostDevice: `isf-${settings.name}`,
    hostAddress: addressAt(link, 1),
    nodeAddress,
    linkBits: link.split('/')[1] ?? '30',
    podNetwork: pods,
    serviceNetwork: services,
    apiServiceAddress: addressAt(services, 1),
    dnsAddress: addressAt(services, 10),
    server: `https://${nodeAddress}:${API_PORT}`,
    registry: `${nodeAddress}:${REGISTRY_PORT}`,
    cgroup: `/isf-${settings.name}`,
  };
}

export function certPath(layout: Layout, name: string): string {
  return join(layout.pki, `${name}.crt`);
}

export function keyPath(layout: Layout, name: string): string {
  return join(layout.pki, `${name}.key`);
}

export function kubeconfigPath(layout: Layout, name: string): string {
  return name === 'admin' ? layout.kubeconfig : join(layout.config, `${name}.kubeconfig`);
}
