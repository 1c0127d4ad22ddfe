import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { mirroredImages } from '../../../cluster/mirror/mirror.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { issueCertificates, type CertificateSet } from '../../../components/olm/certificates.ts';
import {
  AUTHORITY,
  certificateRequests,
  certificatesName,
  withoutCertManager,
} from '../../../components/olm/certificate-requests.ts';
import type { ManifestObject } from '../../../components/olm/manifest.ts';
import { transformManifest } from '../../../components/olm/transform.ts';
import { MANAGED_BY } from '../../../packages/api/labels.ts';
import { EMBEDDED_OLM } from '../../../components/olm/versions.ts';
import { run } from '../../../packages/lib/command.ts';
import { servedManifest } from '../olm/served-olm.ts';
import type { TestCluster } from './test-cluster.ts';

const NAMESPACE = 'olmv1-system';
const GENERATION = 'by-hand';
const REGISTRY_CAS = 'registry-cas-by-hand';

/** The objects of the release whose programs the embedded cluster has. */
export function releasedManifest(): readonly ManifestObject[] {
  return servedManifest(EMBEDDED_OLM);
}

export function manifestText(objects: readonly ManifestObject[]): string {
  return objects.map((object) => yaml.dump(object, { noRefs: true })).join('---\n');
}

/** Installs OLM as somebody who does not know this program would: the release, with kubectl and their own certificates. */
export async function installForeignOlm(cluster: TestCluster): Promise<void> {
  await run('node', [join(checkout, 'cluster', 'mirror', 'main.ts')], { env: cluster.env });
  const { catalogd, 'operator-controller': operatorController } = mirroredImages(cluster.layout);
  const released = releasedManifest();
  const issued = await issueCertificates(certificateRequests(released), new Date());
  const objects = transformManifest(withoutCertManager(released, GENERATION, issued[AUTHORITY]), {
    images: { catalogd, operatorController },
    registryCaConfigMap: REGISTRY_CAS,
  }).map(withoutOurLabel);
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
  const rest = objects.filter(({ kind }) => kind !== 'Namespace');
  const needed = [registryCa(cluster), certificates(issued)];
  await cluster.kubectl(['apply', '--server-side', '-f', '-'], manifestText([...namespaces, ...needed, ...rest]));
  await cluster.kubectl(['rollout', 'status', 'deployment', '-n', NAMESPACE, '--timeout=120s']);
}

function withoutOurLabel(object: ManifestObject): ManifestObject {
  const labels = Object.entries(object.metadata.labels ?? {}).filter(([key]) => !(key in MANAGED_BY));
  return { ...object, metadata: { ...object.metadata, labels: Object.fromEntries(labels) } };
}

function registryCa(cluster: TestCluster): ManifestObject {
  const pem = readFileSync(cluster.environment.ca, 'utf8');
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: REGISTRY_CAS, namespace: NAMESPACE },
    data: { 'registry-ca.crt': pem },
  };
}

function certificates(data: CertificateSet): ManifestObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: certificatesName(GENERATION), namespace: NAMESPACE },
    data,
  };
}
