import { dirname, join } from 'node:path';
import type { Component, ComponentContext } from '../component.ts';
import { certPath, keyPath, kubeconfigPath } from '../layout.ts';
import { PAUSE_IMAGE } from '../pause-image.ts';

/** containerd's configuration knows the registry by a folder of its name. */
export function containerd({ layout, program }: ComponentContext): Component {
  const config = join(layout.config, 'containerd.toml');
  const hosts = join(layout.config, 'registries', layout.registry, 'hosts.toml');
  const cni = join(layout.config, 'cni', '10-bridge.conflist');
  return {
    name: 'containerd',
    args: [`--config=${config}`],
    files: {
      [config]: `version = 2
root = "${join(layout.data, 'containerd')}"
state = "/run/containerd"
# Snapshotters that need other file systems, and the folder for extensions in /opt.
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.internal.v1.opt"]

[grpc]
  address = "${layout.containerdSocket}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  # Machines without CAP_SYS_RESOURCE may not lower a score; without this no container starts there.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${program('cni-plugins')}"
    conf_dir = "${dirname(cni)}"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${join(layout.config, 'registries')}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      BinaryName = "${program('runc')}"
      SystemdCgroup = false
`,
      // The registry is also its own default: after a "not found" containerd asks the default, and reports that failure.
      [hosts]: `server = "https://${layout.registry}"
ca = "${certPath(layout, 'ca')}"
[host."https://${layout.registry}"]
  ca = "${certPath(layout, 'ca')}"
`,
      [cni]: JSON.stringify({
        cniVersion: '1.0.0',
        name: layout.name,
        plugins: [
          {
            type: 'bridge',
            bridge: 'cni0',
            isGateway: true,
            // A pod that reaches itself through its Service.
            hairpinMode: true,
            ipam: {
              type: 'host-local',
              dataDir: join(layout.data, 'cni'),
              ranges: [[{ subnet: layout.podNetwork }]],
              routes: [{ dst: '0.0.0.0/0' }],
            },
          },
          { type: 'portmap', capabilities: { portMappings: true } },
        ],
      }),
    },
  };
}

export function kubelet({ layout }: ComponentContext): Component {
  const config = join(layout.config, 'kubelet.json');
  const resolvConf = join(layout.config, 'resolv.conf');
  return {
    name: 'kubelet',
    port: 10250,
    args: [
      `--config=${config}`,
      `--kubeconfig=${kubeconfigPath(layout, 'kubelet')}`,
      `--hostname-override=${layout.name}`,
      `--node-ip=${layout.nodeAddress}`,
      `--root-dir=${join(layout.data, 'kubelet')}`,
      `--cert-dir=${join(layout.data, 'kubelet', 'pki')}`,
    ],
    files: {
      [resolvConf]: '# Names outside of the cluster are not resolved: it has no way out.\n',
      [config]: JSON.stringify({
        apiVersion: 'kubelet.config.k8s.io/v1beta1',
        kind: 'KubeletConfiguration',
        address: layout.nodeAddress,
        readOnlyPort: 0,
        healthzBindAddress: '127.0.0.1',
        authentication: {
          anonymous: { enabled: false },
          webhook: { enabled: true },
          x509: { clientCAFile: certPath(layout, 'ca') },
        },
        authorization: { mode: 'Webhook' },
        tlsCertFile: certPath(layout, 'kubelet-server'),
        tlsPrivateKeyFile: keyPath(layout, 'kubelet-server'),
        containerRuntimeEndpoint: `unix://${layout.containerdSocket}`,
        cgroupDriver: 'cgroupfs',
        cgroupRoot: layout.cgroup,
        failCgroupV1: false,
        failSwapOn: false,
        // Lowering it needs a capability that containers and small machines lack.
        oomScoreAdj: 0,
        clusterDNS: [layout.dnsAddress],
        clusterDomain: 'cluster.local',
        resolvConf,
        volumePluginDir: join(layout.data, 'kubelet', 'volume-plugins'),
        // A developer's disk is fuller than a server's; images here cannot be pulled again from elsewhere.
        evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
        imageGCHighThresholdPercent: 100,
        serializeImagePulls: false,
        // How soon a change of a ConfigMap reaches running pods. With one node, looking more often costs little.
        syncFrequency: '10s',
      }),
    },
  };
}

export function kubeProxy({ layout }: ComponentContext): Component {
  const config = join(layout.config, 'kube-proxy.json');
  return {
    name: 'kube-proxy',
    port: 10249,
    args: [`--config=${config}`, `--hostname-override=${layout.name}`],
    files: {
      [config]: JSON.stringify({
        apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
        kind: 'KubeProxyConfiguration',
        clientConnection: { kubeconfig: kubeconfigPath(layout, 'kube-proxy') },
        clusterCIDR: layout.podNetwork,
        mode: 'iptables',
        metricsBindAddress: '127.0.0.1:10249',
        healthzBindAddress: '127.0.0.1:10256',
        // The table's size applies to the whole machine, so it is not ours to change.
        conntrack: { maxPerCore: 0 },
        oomScoreAdj: 0,
      }),
    },
  };
}
