import assert from 'node:assert/strict';
import { issueCa } from '../../../../components/certificates/certificate.ts';
import { certificatesExpiry, expiryOf, expiryWarning } from '../../../../components/olm/certificate-expiry.ts';
import { issueCertificates } from '../../../../components/olm/certificates.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';

const EXPIRES = new Date('2029-02-28T00:00:00Z');

describe('the expiry of OLM’s certificates', () => {
  it('is that of what was issued', async () => {
    const request = { secretName: 'catalogd', namespace: 'olmv1-system', dnsNames: ['catalogd.svc'] };
    const issued = await issueCertificates([request], new Date('2026-03-01T00:00:00Z'));
    assert.deepEqual(Object.keys(issued), ['ca.crt', 'catalogd.tls.crt', 'catalogd.tls.key']);
    assert.deepEqual(expiryOf(issued['catalogd.tls.crt'] ?? ''), EXPIRES);
    assert.deepEqual(expiryOf(issued['ca.crt'] ?? ''), EXPIRES);
  });

  it('is read from the authority in OLM’s webhooks, unless cert-manager put it there', async () => {
    const { cert } = await issueCa({ commonName: 'ca', days: 10, now: new Date('2026-01-01T00:00:00Z') });
    const caBundle = Buffer.from(cert).toString('base64');
    const webhook = (annotations: Record<string, string>): KubernetesObject => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'catalogd', annotations },
      webhooks: [{ clientConfig: { caBundle } }],
    });
    assert.deepEqual(certificatesExpiry([webhook({})]), new Date('2026-01-11T00:00:00Z'));
    const injected = { 'cert-manager.io/inject-ca-from-secret': 'cert-manager/olmv1-ca' };
    assert.equal(certificatesExpiry([webhook(injected)]), undefined);
    assert.equal(certificatesExpiry([]), undefined);
  });

  it('is no matter half a year before', () => {
    assert.equal(expiryWarning(EXPIRES, new Date('2028-09-01T00:00:00Z')), undefined);
  });

  it('is warned of from then on, with what renews them', () => {
    assert.equal(
      expiryWarning(EXPIRES, new Date('2028-09-02T00:00:00Z')),
      'OLM’s certificates expire in 179 days: run `pulumi up`, which renews them',
    );
  });

  it('is told when it has passed', () => {
    assert.equal(
      expiryWarning(EXPIRES, new Date('2029-03-01T00:00:00Z')),
      'OLM’s certificates expired on 2029-02-28: run `pulumi up`, which renews them',
    );
  });
});
