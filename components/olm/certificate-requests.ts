import { createHash } from 'node:crypto';
import type { Problem } from '../../packages/lib/problem.ts';
import { isDeployment, mapPod, type ManifestObject, type Volume } from './manifest.ts';

/** A serving certificate that a manifest expects cert-manager to put into a Secret. */
export interface CertificateRequest {
  readonly secretName: string;
  readonly namespace: string;
  readonly dnsNames: readonly string[];
}

const CERT_MANAGER_GROUP = 'cert-manager.io/';
/** What makes cert-manager fill in the authority of a webhook. */
export const INJECTION = 'cert-manager.io/inject-ca-from-secret';

/** The certificates that a manifest requests from cert-manager, except that of its own authority. */
export function certificateRequests(objects: readonly ManifestObject[]): readonly CertificateRequest[] {
  return objects
    .filter((object) => object.kind === 'Certificate' && object.apiVersion.startsWith(CERT_MANAGER_GROUP))
    .map((object) => ({ spec: object['spec'] as CertificateSpec, namespace: object.metadata.namespace ?? 'default' }))
    .filter(({ spec }) => spec.isCA !== true)
    .map(({ spec, namespace }) => ({ secretName: spec.secretName, namespace, dnsNames: spec.dnsNames ?? [] }));
}

interface CertificateSpec {
  readonly isCA?: boolean;
  readonly secretName: string;
  readonly dnsNames?: readonly string[];
}

/**
 * Names one set of certificates: the year it was issued in and what it was issued for. A new year or other names make a
 * new set, so certificates are renewed by the first `up` of a year without anything having to read the old ones.
 */
export function generationOf(requests: readonly CertificateRequest[], now: Date): string {
  const content = createHash('sha256').update(JSON.stringify(requests)).digest('hex').slice(0, 6);
  return `${now.getUTCFullYear()}-${content}`;
}

/**
 * The one Secret that holds a whole set: two would be made one after the other, and a failure in between would leave
 * them with certificates of different authorities. The old one stays until nothing mounts it any more.
 */
export function certificatesName(generation: string): string {
  return `olmv1-certificates-${generation}`;
}

/** Where the Secret of a set keeps what cert-manager would put under a key of a Secret of its own. */
export function certificatesKey(secretName: string, key: string): string {
  return key === AUTHORITY ? key : `${secretName}.${key}`;
}

/** The certificate of the authority, which all certificates of a set have in common. */
export const AUTHORITY = 'ca.crt';

/** What cert-manager puts into a Secret. */
const KEYS = [AUTHORITY, 'tls.crt', 'tls.key'] as const;

/** A pod mounts Secrets of its own namespace only, so one Secret can serve one. */
export function checkOneNamespace(requests: readonly CertificateRequest[], source: string): readonly Problem[] {
  const namespaces = [...new Set(requests.map(({ namespace }) => namespace))];
  if (namespaces.length <= 1) return [];
  return [
    {
      object: source,
      path: 'Certificate',
      value: namespaces,
      message: 'asks for certificates in several namespaces, but they are issued for one',
      remedy: 'Have cert-manager issue them.',
    },
  ];
}

/**
 * The manifest without cert-manager: its objects dropped, the set of a generation mounted, the webhooks' CA filled in. The
 * CA may be an output that is known only later.
 */
export function withoutCertManager(
  objects: readonly ManifestObject[],
  generation: string,
  caBundle: unknown,
): readonly ManifestObject[] {
  const secrets = new Set(certificateRequests(objects).map((request) => request.secretName));
  const rename = (volume: Volume): Volume => {
    if (volume.secret === undefined || !secrets.has(volume.secret.secretName)) return volume;
    const { secretName, items = KEYS.map((key) => ({ key, path: key })) } = volume.secret;
    const kept = items.map((item) => ({ ...item, key: certificatesKey(secretName, item.key) }));
    return { ...volume, secret: { ...volume.secret, secretName: certificatesName(generation), items: kept } };
  };
  return objects
    .filter((object) => !object.apiVersion.startsWith(CERT_MANAGER_GROUP))
    .map((object) => {
      if (isDeployment(object)) return mapPod(object, (pod) => ({ ...pod, volumes: (pod.volumes ?? []).map(rename) }));
      return object.metadata.annotations?.[INJECTION] === undefined ? object : injectCa(object, caBundle);
    });
}

function injectCa(object: ManifestObject, caBundle: unknown): ManifestObject {
  const kept = Object.entries(object.metadata.annotations ?? {}).filter(([key]) => key !== INJECTION);
  const webhooks = (object['webhooks'] ?? []) as readonly { readonly clientConfig: object }[];
  return {
    ...object,
    metadata: { ...object.metadata, annotations: Object.fromEntries(kept) },
    webhooks: webhooks.map((webhook) => ({ ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } })),
  };
}
