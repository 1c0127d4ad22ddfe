import { issueCa, issueLeaf } from '../certificates/certificate.ts';
import type { CertificateRequest } from './certificate-requests.ts';

/**
 * Renewal happens in `pulumi up` alone, by the first one of each year. Three years mean that a cluster nobody touches
 * for two years still works.
 */
export const VALID_DAYS = 3 * 365;

/** The contents of one Secret, base64 as Kubernetes keeps them. */
export type SecretData = Readonly<Record<'ca.crt' | 'tls.crt' | 'tls.key', string>>;

/**
 * Issues all requested certificates under one new authority and throws the authority's key away: nothing can be signed
 * by it any more, so nothing has to guard it.
 */
export async function issueCertificates(
  requests: readonly CertificateRequest[],
  now: Date,
): Promise<ReadonlyMap<string, SecretData>> {
  const ca = await issueCa({ commonName: 'olmv1-ca', days: VALID_DAYS, now });
  const issued = await Promise.all(
    requests.map(async ({ secretName, dnsNames }) => {
      const [commonName = secretName] = dnsNames;
      const leaf = await issueLeaf(ca, { commonName, dnsNames, usages: ['server'], days: VALID_DAYS, now });
      return [
        secretName,
        { 'ca.crt': base64(ca.cert), 'tls.crt': base64(leaf.cert), 'tls.key': base64(leaf.key) },
      ] as const;
    }),
  );
  return new Map(issued);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
