import assert from 'node:assert/strict';
import { expiryOf, expiryWarning } from '../../../../components/olm/certificate-expiry.ts';
import { issueCertificates } from '../../../../components/olm/certificates.ts';

const EXPIRES = new Date('2029-02-28T00:00:00Z');

describe('the expiry of OLM’s certificates', () => {
  it('is that of what was issued', async () => {
    const request = { secretName: 'catalogd', namespace: 'olmv1-system', dnsNames: ['catalogd.svc'] };
    const issued = await issueCertificates([request], new Date('2026-03-01T00:00:00Z'));
    const data = issued.get('catalogd');
    assert.ok(data);
    assert.deepEqual(expiryOf(data['tls.crt']), EXPIRES);
    assert.deepEqual(expiryOf(data['ca.crt']), EXPIRES);
  });

  it('is no matter half a year before', () => {
    assert.equal(expiryWarning('olm', EXPIRES, new Date('2028-09-01T00:00:00Z')), undefined);
  });

  it('is warned of from then on, with what renews them', () => {
    assert.equal(
      expiryWarning('olm', EXPIRES, new Date('2028-09-02T00:00:00Z')),
      'certificate olm expires in 179 days: run `pulumi up`, which renews it',
    );
  });

  it('is told when it has passed', () => {
    assert.equal(
      expiryWarning('olm', EXPIRES, new Date('2029-03-01T00:00:00Z')),
      'certificate olm has expired on 2029-02-28: run `pulumi up`, which renews it',
    );
  });
});
