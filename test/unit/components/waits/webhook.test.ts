import assert from 'node:assert/strict';
import { webhookTrouble } from '../../../../components/waits/webhook.ts';

const said = (cause: string): string =>
  `Internal error occurred: failed calling webhook "w.example": failed to call webhook: Post "https://w.guard.svc:443/v?timeout=10s": ${cause}`;

describe('a webhook that cannot be called', () => {
  it('is named with its Service', () => {
    assert.equal(
      webhookTrouble(said('dial tcp 10.96.3.4:443: connect: connection refused'))?.message,
      'the API server cannot call the webhook w.example of Service guard/w: dial tcp 10.96.3.4:443: connect: connection refused',
    );
  });

  it('is told what to do about by what keeps it from answering', () => {
    assert.match(webhookTrouble(said('x509: certificate has expired'))?.remedy ?? '', /certificate/);
    assert.match(webhookTrouble(said('context deadline exceeded'))?.remedy ?? '', /firewall/);
    assert.match(webhookTrouble(said('service "w" not found'))?.remedy ?? '', /Start the pods .* --namespace=guard/);
  });

  it('may be addressed by a URL', () => {
    const text = 'failed calling webhook "w.example": failed to call webhook: Post "https://w.example/v": EOF';
    assert.match(
      webhookTrouble(text)?.message ?? '',
      /cannot call the webhook w\.example: Post "https:\/\/w\.example\/v": EOF/,
    );
  });

  it('is not what other refusals are about', () => {
    assert.equal(webhookTrouble('admission webhook "w.example" denied the request: no'), undefined);
  });
});
