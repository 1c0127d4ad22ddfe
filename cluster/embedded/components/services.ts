import { join } from 'node:path';
import type { Component, ComponentContext } from '../component.ts';
import { certPath, keyPath, kubeconfigPath, REGISTRY_PORT } from '../layout.ts';

/** Cluster DNS as a process: no image has to be there before names resolve. */
export function coredns({ layout }: ComponentContext): Component {
  const corefile = join(layout.config, 'Corefile');
  return {
    name: 'coredns',
    port: 53,
    args: [`-conf=${corefile}`],
    files: {
      [corefile]: `.:53 {
    bind ${layout.nodeAddress}
    errors
    ready 127.0.0.1:8181
    kubernetes cluster.local in-addr.arpa {
        kubeconfig ${kubeconfigPath(layout, 'coredns')}
        ttl 5
    }
    cache 5
    loadbalance
}
`,
    },
  };
}

/** One address serves BuildKit, the kubelet, pods and this machine, so that an image has one name everywhere. */
export function registry({ layout }: ComponentContext): Component {
  const config = join(layout.config, 'registry.json');
  return {
    name: 'docker-registry',
    port: REGISTRY_PORT,
    args: ['serve', config],
    files: {
      [config]: JSON.stringify({
        version: '0.1',
        log: { level: 'warn', accesslog: { disabled: true } },
        storage: { filesystem: { rootdirectory: join(layout.data, 'registry') }, delete: { enabled: true } },
        http: {
          addr: `${layout.nodeAddress}:${REGISTRY_PORT}`,
          tls: { certificate: certPath(layout, 'registry'), key: keyPath(layout, 'registry') },
        },
      }),
    },
  };
}

export function buildkitd({ layout, program }: ComponentContext): Component {
  const config = join(layout.config, 'buildkitd.toml');
  return {
    name: 'buildkitd',
    args: [`--config=${config}`],
    files: {
      [config]: `root = "${join(layout.data, 'buildkit')}"

[grpc]
  address = ["unix://${layout.buildkitSocket}"]

[worker.containerd]
  enabled = false

[worker.oci]
  enabled = true
  binary = "${program('runc')}"
  gc = true
  reservedSpace = "1GB"
  maxUsedSpace = "10GB"

[registry."${layout.registry}"]
  ca = ["${certPath(layout, 'ca')}"]
`,
    },
  };
}

/** kwok manages only what is marked as simulated. */
export function kwok({ layout }: ComponentContext): Component {
  return {
    name: 'kwok',
    args: [
      `--kubeconfig=${kubeconfigPath(layout, 'kwok')}`,
      '--manage-all-nodes=false',
      '--manage-nodes-with-label-selector=type=kwok',
      '--node-lease-duration-seconds=40',
    ],
  };
}
