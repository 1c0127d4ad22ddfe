import { issueCa, issueLeaf } from '../certificates/certificate.ts';
import { AUTHORITY, certificatesKey, type CertificateRequest } from './certificate-requests.ts';

/**
 * Renewal happens in `pulumi up` alone, by the first one of each year. Three years mean that a cluster nobody touches
 * for two years still works.
 */
export const VALID_DAYS = 3 * 365;

/** The contents of the Secret of a set, base64 as Kubernetes keeps them. */
export type CertificateSet = Readonly<Record<string, string>>;

/**
 * Issues all requested certificates under one new authority and throws the authority's key away: nothing can be signed
 * by it any more, so nothing has to guard it.
 */
export async function issueCertificates(requests: readonly CertificateRequest[], now: Date): Promise<CertificateSet> {
  const ca = await issueCa({ commonName: 'olmv1-ca', days: VALID_DAYS, now });
  const issued = await Promise.all(
    requests.map(async ({ secretName, dnsNames }) => {
      const [commonName = secretName] = dnsNames;
      const leaf = await issueLeaf(ca, { commonName, dnsNames, usages: ['server'], days: VALID_DAYS, now });
      return {
        [certificatesKey(secretName, 'tls.crt')]: base64(leaf.cert),
        [certificatesKey(secretName, 'tls.key')]: base64(leaf.key),
      };
    }),
  );
  return Object.assign({ [AUTHORITY]: base64(ca.cert) }, ...issued) as CertificateSet;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
