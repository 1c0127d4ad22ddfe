import assert from 'node:assert/strict';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

function notices(spec: InferenceStackSpec): string[] {
  const applicationTemplate = { readerConfig: { modelName: 'org/llama' } };
  const stack = stackWith({ applicationTemplate, applications: { llama: {} }, ...spec });
  return render(stack, contextWith()).notices.map(formatProblem);
}

const INTERNAL = { port: 3005, name: 'internal' };
const PORTS = 'inference 3000, management 3001, openai 3003, internal 3005';

describe('a port that leads nowhere', () => {
  it('is told of the Service: a name or number that the container does not have', () => {
    const ports = (port: object): InferenceStackSpec => ({
      gateway: { service: { ports: [{ port: 80, name: 'http', ...port }, INTERNAL] } },
    });
    assert.deepEqual(notices(ports({ targetPort: 'opnai' })), [
      `spec.gateway.service.ports[0].targetPort: is not a port of the container, so nothing answers (got "opnai"). Use ${PORTS}.`,
    ]);
    assert.deepEqual(notices(ports({})), [
      `spec.gateway.service.ports[0].port: is not a port of the container, so nothing answers (got 80). Use ${PORTS}.`,
    ]);
    assert.deepEqual(notices(ports({ targetPort: 3003 })), []);
  });

  it('is not told of numbers where the container declares no ports', () => {
    const service = { ports: [{ port: 8000, name: 'http' }, INTERNAL] };
    assert.deepEqual(notices({ gateway: { ports: [], service } }), []);
  });

  it('is told of the port on which readers talk to the gateway', () => {
    assert.deepEqual(notices({ gateway: { config: { internalPort: 4005 } } }), [
      "spec.gateway.config.internalPort: is not reached: port 3005 of the gateway's Service, which readers use, leads to 3005 (got 4005)",
    ]);
    const service = { ports: [{ port: 3003 }] };
    assert.match(notices({ gateway: { service } })[0] ?? '', /internalPort: .* leads nowhere \(got 3005\)$/);
    assert.deepEqual(notices({ applications: {}, gateway: { service } }), []);
    const led = { ports: [{ port: 3005, targetPort: 4005 }] };
    const moved = { config: { internalPort: 4005 }, ports: [{ containerPort: 4005 }], service: led };
    assert.deepEqual(notices({ gateway: moved }), []);
  });

  it('is told of probes that ask a port by a name that the container does not have', () => {
    const probe = { httpGet: { path: '/healthz', port: 'http' } };
    const numbered = { tcpSocket: { port: 9 } };
    const spec = {
      gateway: { readinessProbe: probe, livenessProbe: numbered },
      applications: { llama: { livenessProbe: probe } },
    };
    assert.deepEqual(notices(spec), [
      `spec.gateway.readinessProbe.httpGet.port: is not a port of the container, so nothing answers (got "http"). Use ${PORTS}.`,
      'spec.applications.llama.livenessProbe.httpGet.port: is not a port of the container, so nothing answers (got "http"). It declares none: add it to ports.',
    ]);
  });

  it('is told of a variable that moves an external engine from where it is asked', () => {
    const moved = (value: string, enginePort: number): InferenceStackSpec => ({
      applications: {
        llama: { engine: 'external', env: [{ name: 'ENGINE_PORT', value }], readerConfig: { enginePort } },
      },
    });
    assert.deepEqual(notices(moved('4000', 3000)), [
      'spec.applications.llama.env.ENGINE_PORT: moves the engine from port 3000, where its probe and the reader beside it ask (got "4000"). Set readerConfig.enginePort instead.',
    ]);
    assert.deepEqual(notices(moved('4000', 4000)), []);
  });
});
