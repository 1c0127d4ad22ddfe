import assert from 'node:assert/strict';
import type { Application } from '../../../../../packages/api/types.ts';
import { formatProblem } from '../../../../../packages/lib/problem.ts';
import { render } from '../../../../../packages/render/render.ts';
import { at, contextWith, podOf, stackWith } from '../../../../support/people/stacks.ts';

const OPEN: Application = { engine: 'openai', image: { repository: 'r', tag: 'v1' }, port: 8001 };
const SERVED = { name: 'http', containerPort: 8001, protocol: 'TCP' };
const METRICS = { name: 'metrics', containerPort: 8002 };

function portsWith(ports: NonNullable<Application['ports']>): unknown {
  return at(podOf({ applications: { llm: { ...OPEN, ports } } }, 'llm'), 'containers.0.ports');
}

describe('the ports of an open engine', () => {
  it('are the one that it serves on, and those that the user declares beside it', () => {
    assert.deepEqual(portsWith([]), [SERVED]);
    assert.deepEqual(portsWith([METRICS]), [SERVED, METRICS]);
  });

  it('have the one that it serves on once, whatever the user calls it', () => {
    assert.deepEqual(portsWith([{ name: 'http', containerPort: 9 }, { name: 'api', containerPort: 8001 }, METRICS]), [
      SERVED,
      METRICS,
    ]);
  });

  it('are told of where one of them has the name of the one that it serves on', () => {
    const told = (ports: NonNullable<Application['ports']>): string[] =>
      render(stackWith({ applications: { llm: { ...OPEN, ports } } }), contextWith()).notices.map(formatProblem);
    assert.deepEqual(told([METRICS, { name: 'http', containerPort: 9 }]), [
      'spec.applications.llm.ports[1].containerPort: is left out: http is the port that the engine serves on, which is 8001 (got 9). Set port if the engine serves on this one, or give it another name.',
    ]);
    assert.deepEqual(told([{ name: 'http', containerPort: 8001 }, METRICS]), []);
  });

  it('may be asked by a probe by their names, and by no other', () => {
    const probe = (port: string): Application => ({ livenessProbe: { httpGet: { path: '/', port } } });
    const notices = (application: Application): string[] =>
      render(
        stackWith({ applications: { llm: { ...OPEN, ports: [METRICS], ...application } } }),
        contextWith(),
      ).notices.map(formatProblem);
    assert.deepEqual(notices(probe('http')), []);
    assert.deepEqual(notices(probe('metrics')), []);
    assert.deepEqual(notices(probe('grpc')), [
      'spec.applications.llm.livenessProbe.httpGet.port: is not a port of the container, so nothing answers (got "grpc"). Use http 8001, metrics 8002.',
    ]);
  });
});
