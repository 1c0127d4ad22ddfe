import assert from 'node:assert/strict';
import { refusal } from '../../../../controller/src/reconcile/refusal.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';

const SERVICE = { kind: 'Service', metadata: { namespace: 'team-a', name: 'chat-gateway' } };

function said(status: number, message: string): string {
  const request = 'PATCH /api/v1/namespaces/team-a/services/chat-gateway?fieldManager=inference-stack-operator';
  return refusal(SERVICE, new ApiError(request, status, { reason: 'Invalid', message })).message;
}

describe('a refusal of the API server', () => {
  it('names the object once, and neither request nor code', () => {
    assert.equal(
      said(422, 'Service "chat-gateway" is invalid: spec.ports[0].nodePort: Invalid value: 80: not in the valid range'),
      'The API server refuses Service team-a/chat-gateway: spec.ports[0].nodePort: Invalid value: 80: not in the valid range',
    );
    assert.equal(
      said(403, 'services "chat-gateway" is forbidden: exceeded quota: small'),
      'The API server refuses Service team-a/chat-gateway: exceeded quota: small',
    );
  });

  it('keeps words that it does not know', () => {
    assert.equal(
      said(400, 'admission webhook "policy.example.com" denied the request: no'),
      'The API server refuses Service team-a/chat-gateway: admission webhook "policy.example.com" denied the request: no',
    );
  });
});
