import { existsSync, readFileSync } from 'node:fs';
import { issueCa, issueLeaf, type KeyPairPem, type LeafRequest } from '../../components/certificates/certificate.ts';
import { expiry } from '../../components/certificates/expiry.ts';
import { makePrivateDirectory, writePrivate } from './files.ts';
import { certPath, keyPath, kubeconfigPath, type Layout } from './layout.ts';

/** A cluster for development lives for months at the most; its certificates outlive it. */
const DAYS = 3650;

/** A client certificate is made into a kubeconfig of the same name. */
interface Identity extends Omit<LeafRequest, 'days'> {
  readonly kubeconfig?: boolean;
}

/** Every component has its own certificate: nothing is shared or anonymous. */
function identities(layout: Layout): Readonly<Record<string, Identity>> {
  const { name, nodeAddress, apiServiceAddress } = layout;
  const client = (commonName: string, organizations: readonly string[] = []): Identity => ({
    commonName,
    organizations,
    usages: ['client'],
    kubeconfig: true,
  });
  return {
    admin: client('admin', ['system:masters']),
    'controller-manager': client('system:kube-controller-manager'),
    scheduler: client('system:kube-scheduler'),
    'kube-proxy': client('system:kube-proxy'),
    kubelet: client(`system:node:${name}`, ['system:nodes']),
    coredns: client('coredns'),
    kwok: client('kwok', ['system:masters']),
    apiserver: {
      commonName: 'kube-apiserver',
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
      ],
      ipAddresses: [nodeAddress, apiServiceAddress, '127.0.0.1'],
      usages: ['server'],
    },
    'apiserver-kubelet-client': { commonName: 'kube-apiserver-kubelet-client', usages: ['client'] },
    'kubelet-server': { commonName: name, dnsNames: [name], ipAddresses: [nodeAddress], usages: ['server'] },
    registry: { commonName: 'registry', ipAddresses: [nodeAddress], usages: ['server'] },
    etcd: { commonName: 'etcd', ipAddresses: ['127.0.0.1'], usages: ['server', 'client'] },
    'service-accounts': { commonName: 'service-accounts', usages: ['client'] },
  };
}

/** Issues what is missing. A change of addresses is a new cluster: settings are compared before this is called. */
export async function ensureCredentials(layout: Layout): Promise<void> {
  makePrivateDirectory(layout.pki);
  const ca = await ensurePair(layout, 'ca', () =>
    issueCa({ commonName: `${layout.name} embedded cluster`, days: DAYS }),
  );
  for (const [name, { kubeconfig, ...request }] of Object.entries(identities(layout))) {
    const pair = await ensurePair(layout, name, () => issueLeaf(ca, { ...request, days: DAYS }));
    if (kubeconfig === true) writePrivate(kubeconfigPath(layout, name), renderKubeconfig(layout, name, ca, pair));
  }
}

async function ensurePair(layout: Layout, name: string, issue: () => Promise<KeyPairPem>): Promise<KeyPairPem> {
  const [cert, key] = [certPath(layout, name), keyPath(layout, name)];
  if (existsSync(cert) && existsSync(key)) {
    const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    if (expiry(pair.cert).getTime() > Date.now()) return pair;
  }
  const pair = await issue();
  writePrivate(key, pair.key);
  writePrivate(cert, pair.cert);
  return pair;
}

/** JSON is valid YAML, and easy to write correctly without a library. */
function renderKubeconfig(layout: Layout, user: string, ca: KeyPairPem, pair: KeyPairPem): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const cluster = { server: layout.server, 'certificate-authority-data': base64(ca.cert) };
  const credentials = { 'client-certificate-data': base64(pair.cert), 'client-key-data': base64(pair.key) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: layout.name, cluster }],
    users: [{ name: user, user: credentials }],
    contexts: [{ name: layout.name, context: { cluster: layout.name, user } }],
    'current-context': layout.name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
