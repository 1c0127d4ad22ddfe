import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issueCa, issueLeaf } from '../../../../components/certificates/certificate.ts';
import { expiry } from '../../../../components/certificates/expiry.ts';

describe('certificates', () => {
  it('carry subject, names, usages and expiry, and verify against their authority only', async () => {
    const now = new Date('2030-01-01T00:00:00Z');
    const ca = await issueCa({ commonName: 'ca', days: 10, now });
    const other = await issueCa({ commonName: 'ca', days: 10, now });
    const leaf = await issueLeaf(ca, {
      commonName: 'system:node:a',
      organizations: ['system:nodes'],
      dnsNames: ['a.example'],
      ipAddresses: ['10.0.0.1'],
      usages: ['server', 'client'],
      days: 5,
      now,
    });
    const certificate = new X509Certificate(leaf.cert);
    assert.equal(certificate.subject, 'CN=system:node:a\nO=system:nodes');
    assert.equal(certificate.subjectAltName, 'DNS:a.example, IP Address:10.0.0.1');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    assert.equal(certificate.ca, false);
    assert.deepEqual(expiry(leaf.cert), new Date('2030-01-06T00:00:00Z'));
    assert.ok(certificate.verify(new X509Certificate(ca.cert).publicKey));
    assert.ok(!certificate.verify(new X509Certificate(other.cert).publicKey));
  });

  it('are accepted by a TLS client that trusts the authority, for their own name only', async () => {
    const ca = await issueCa({ commonName: 'ca', days: 1 });
    const leaf = await issueLeaf(ca, { commonName: 's', ipAddresses: ['127.0.0.1'], usages: ['server'], days: 1 });
    const server = createServer({ cert: leaf.cert, key: leaf.key }, (_request, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const get = (servername?: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, ca: ca.cert, ...(servername === undefined ? {} : { servername }) };
        request(options, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
    try {
      assert.equal(await get(), 200);
      await assert.rejects(get('another.example'), /ERR_TLS_CERT_ALTNAME_INVALID|does not match/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
