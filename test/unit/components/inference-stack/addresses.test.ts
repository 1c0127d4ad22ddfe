import assert from 'node:assert/strict';
import { clusterUrl, ingressAddresses } from '../../../../components/inference-stack/addresses.ts';
import { stackWith } from '../../../support/people/stacks.ts';

describe('the addresses of a gateway', () => {
  it('are those of its Service in the namespace where the stack turns out to be', () => {
    assert.equal(clusterUrl(stackWith({}), 'team-b'), 'http://chat-inference-stack-gateway.team-b.svc');
    const spec = { fullnameOverride: 'llm', gateway: { service: { ports: [{ port: 3000 }] } } };
    assert.equal(clusterUrl(stackWith(spec), 'team-b'), 'http://llm-gateway.team-b.svc:3000');
  });

  it('are those of its Ingress, encrypted where there is a certificate', () => {
    const hosts = [{ host: 'open.example' }, { host: 'safe.example' }, {}];
    const tls = [{ hosts: ['safe.example'], secretName: 'certificate' }];
    const addresses = (enabled: boolean): readonly string[] =>
      ingressAddresses(stackWith({ gateway: { ingress: { enabled, hosts, tls } } }));
    assert.deepEqual(addresses(true), ['http://open.example', 'https://safe.example']);
    assert.deepEqual(addresses(false), []);
  });
});
