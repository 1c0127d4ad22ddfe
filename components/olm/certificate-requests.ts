import { createHash } from 'node:crypto';
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

/** The certificates that a manifest asks of cert-manager, its own authority left out. */
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

/** The name of a Secret in one generation. The old one stays until nothing mounts it any more. */
export function generationName(secretName: string, generation: string): string {
  return `${secretName}-${generation}`;
}

/**
 * The manifest without cert-manager: its objects dropped, Secrets mounted by generation, the webhooks' CA filled in. The
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
    const secretName = generationName(volume.secret.secretName, generation);
    return { ...volume, secret: { ...volume.secret, secretName } };
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
