import assert from 'node:assert/strict';
import type { Application, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { at, podOf } from '../../../support/people/stacks.ts';

const ASSIGNED = { capabilities: { keda: true, serviceMonitor: true, assignsUserIds: true } };
const HARDENED = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const HANDED_OVER = { fsGroupChangePolicy: 'OnRootMismatch' };
const OPEN: Application = { engine: 'vllm', model: { name: 'm/llama' } };
const TAKEOFF: Application = { readerConfig: { modelName: 'm/llama' } };
const CACHED = { modelCache: { size: '1Gi' } };

describe('a platform that assigns user ids', () => {
  function securityOf(application: Application, assigned: boolean): unknown {
    return podOf({ applications: { llama: application } }, 'llama', assigned ? ASSIGNED : {})['securityContext'];
  }

  it('gets no ids from pods of open engines, which stay hardened', () => {
    assert.deepEqual(securityOf(OPEN, false), { ...HARDENED, runAsUser: 10_001, runAsGroup: 10_001 });
    assert.deepEqual(securityOf(OPEN, true), HARDENED);
  });

  it('gets no ids from the gateway Onwards', () => {
    const spec: InferenceStackSpec = { applications: { llama: OPEN } };
    assert.equal(at(podOf(spec, 'gateway'), 'securityContext.runAsUser'), 10_001);
    assert.deepEqual(podOf(spec, 'gateway', ASSIGNED)['securityContext'], HARDENED);
  });

  it('chooses the group that a models volume is handed over to, whatever the engine', () => {
    assert.equal(at(securityOf({ ...OPEN, ...CACHED }, false), 'fsGroup'), 1000);
    assert.deepEqual(securityOf({ ...OPEN, ...CACHED }, true), { ...HARDENED, ...HANDED_OVER });
    assert.equal(at(securityOf({ ...TAKEOFF, ...CACHED }, false), 'fsGroup'), 1000);
    assert.deepEqual(securityOf({ ...TAKEOFF, ...CACHED }, true), HANDED_OVER);
  });

  it('finds pods of takeoff that have no volume for it as they are elsewhere', () => {
    assert.equal(securityOf(TAKEOFF, true), undefined);
  });

  it('gets the ids that the user gives', () => {
    const given = { runAsUser: 1_000_680_000, runAsGroup: 0, fsGroup: 1_000_680_000 };
    assert.deepEqual(securityOf({ ...OPEN, ...CACHED, podSecurityContext: given }, true), { ...HARDENED, ...given });
    const user = { runAsUser: 7 };
    assert.deepEqual(securityOf({ ...OPEN, podSecurityContext: user }, true), { ...HARDENED, ...user });
    assert.deepEqual(securityOf({ ...TAKEOFF, ...CACHED, podSecurityContext: user }, true), {
      ...HANDED_OVER,
      ...user,
    });
    const spec: InferenceStackSpec = { applications: { llama: OPEN }, gateway: { podSecurityContext: user } };
    assert.deepEqual(podOf(spec, 'gateway', ASSIGNED)['securityContext'], { ...HARDENED, ...user });
  });
});
