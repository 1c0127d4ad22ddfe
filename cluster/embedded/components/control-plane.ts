import { join } from 'node:path';
import type { Component, ComponentContext } from '../component.ts';
import { API_PORT, certPath, keyPath, kubeconfigPath } from '../layout.ts';

const ETCD = 'https://127.0.0.1:2379';
const ETCD_PEER = 'https://127.0.0.1:2380';

export function etcd({ layout }: ComponentContext): Component {
  const [ca, cert, key] = [certPath(layout, 'ca'), certPath(layout, 'etcd'), keyPath(layout, 'etcd')];
  return {
    name: 'etcd',
    port: 2379,
    args: [
      `--name=${layout.name}`,
      `--data-dir=${join(layout.data, 'etcd')}`,
      `--listen-client-urls=${ETCD}`,
      `--advertise-client-urls=${ETCD}`,
      `--listen-peer-urls=${ETCD_PEER}`,
      `--initial-advertise-peer-urls=${ETCD_PEER}`,
      `--initial-cluster=${layout.name}=${ETCD_PEER}`,
      '--client-cert-auth',
      `--trusted-ca-file=${ca}`,
      `--cert-file=${cert}`,
      `--key-file=${key}`,
      '--peer-client-cert-auth',
      `--peer-trusted-ca-file=${ca}`,
      `--peer-cert-file=${cert}`,
      `--peer-key-file=${key}`,
      '--auto-compaction-retention=1h',
      '--log-level=warn',
    ],
  };
}

export function apiServer({ layout }: ComponentContext): Component {
  const ca = certPath(layout, 'ca');
  return {
    name: 'kube-apiserver',
    port: API_PORT,
    args: [
      `--advertise-address=${layout.nodeAddress}`,
      `--bind-address=${layout.nodeAddress}`,
      `--secure-port=${API_PORT}`,
      `--etcd-servers=${ETCD}`,
      `--etcd-cafile=${ca}`,
      `--etcd-certfile=${certPath(layout, 'etcd')}`,
      `--etcd-keyfile=${keyPath(layout, 'etcd')}`,
      `--client-ca-file=${ca}`,
      `--tls-cert-file=${certPath(layout, 'apiserver')}`,
      `--tls-private-key-file=${keyPath(layout, 'apiserver')}`,
      `--kubelet-certificate-authority=${ca}`,
      `--kubelet-client-certificate=${certPath(layout, 'apiserver-kubelet-client')}`,
      `--kubelet-client-key=${keyPath(layout, 'apiserver-kubelet-client')}`,
      // No DNS knows the node's name.
      '--kubelet-preferred-address-types=InternalIP',
      '--anonymous-auth=false',
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--allow-privileged=true',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${certPath(layout, 'service-accounts')}`,
      `--service-account-signing-key-file=${keyPath(layout, 'service-accounts')}`,
      `--service-cluster-ip-range=${layout.serviceNetwork}`,
      '--profiling=false',
    ],
  };
}

export function controllerManager({ layout }: ComponentContext): Component {
  const kubeconfig = kubeconfigPath(layout, 'controller-manager');
  return {
    name: 'kube-controller-manager',
    port: 10257,
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--root-ca-file=${certPath(layout, 'ca')}`,
      `--service-account-private-key-file=${keyPath(layout, 'service-accounts')}`,
      '--use-service-account-credentials',
      '--allocate-node-cidrs=false',
      // There is only one: an election would just make a restart slower.
      '--leader-elect=false',
      '--profiling=false',
    ],
  };
}

export function scheduler({ layout }: ComponentContext): Component {
  const kubeconfig = kubeconfigPath(layout, 'scheduler');
  return {
    name: 'kube-scheduler',
    port: 10259,
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      '--leader-elect=false',
      '--profiling=false',
    ],
  };
}
