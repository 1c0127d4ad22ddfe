import assert from 'node:assert/strict';
import { keepPod } from '../../../../../controller/src/reconcile/pod-view.ts';
import type { PodQuestion } from '../../../../../packages/kube/pods/pod-question.ts';

const CREATED = '2026-01-01T00:00:00Z';

/** A pod of a stack that has its node and waits for its volumes; each test changes one thing. */
function question(change: { spec?: object; status?: object; metadata?: object } = {}): PodQuestion | undefined {
  const waiting = { name: 'main', state: { waiting: { reason: 'ContainerCreating' } } };
  return keepPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'chat-1',
      namespace: 'team-a',
      uid: 'u-1',
      creationTimestamp: CREATED,
      labels: { 'app.kubernetes.io/managed-by': 'inference-stack-operator', 'app.kubernetes.io/instance': 'chat' },
      ...change.metadata,
    },
    spec: { nodeName: 'n-1', imagePullSecrets: [{ name: 'regcred' }], ...change.spec },
    status: { phase: 'Pending', containerStatuses: [waiting], ...change.status },
  })?.question;
}

function waitingFor(reason: string): { containerStatuses: object[] } {
  return { containerStatuses: [{ name: 'main', state: { waiting: { reason } } }] };
}

describe('what a pod does not tell itself', () => {
  it('is what its volumes wait for', () => {
    assert.deepEqual(question(), {
      uid: 'u-1',
      name: 'chat-1',
      namespace: 'team-a',
      problem: 'cannot start',
      askFrom: Date.parse(CREATED) + 5_000,
    });
  });

  it('is nothing once its volumes are there, however long the image takes', () => {
    const conditions = [{ type: 'PodReadyToStartContainers', status: 'True' }];
    assert.equal(question({ status: { conditions } }), undefined);
  });

  it('is nothing before it has a node, and when it is on its way out', () => {
    assert.equal(question({ spec: { nodeName: undefined } }), undefined);
    assert.equal(question({ metadata: { deletionTimestamp: CREATED } }), undefined);
  });

  it('is which Secret it could not pull its image with, if it was to use one', () => {
    const status = waitingFor('ImagePullBackOff');
    assert.equal(question({ status })?.reason, 'FailedToRetrieveImagePullSecret');
    assert.equal(question({ status, spec: { imagePullSecrets: undefined } }), undefined);
  });

  it('is nothing for a container that lacks something of its environment, which says so itself', () => {
    assert.equal(question({ status: waitingFor('CreateContainerConfigError') }), undefined);
  });

  it('is why its probe fails, when that has lasted for a minute', () => {
    const running = (ready: boolean): object => ({
      phase: 'Running',
      containerStatuses: [{ name: 'main', ready, state: { running: { startedAt: CREATED } } }],
    });
    assert.deepEqual(question({ status: running(false) }), {
      uid: 'u-1',
      name: 'chat-1',
      namespace: 'team-a',
      problem: 'is not ready',
      reason: 'Unhealthy',
      past: 'Startup probe ',
      askFrom: Date.parse(CREATED) + 60_000,
    });
    assert.equal(question({ status: running(true) }), undefined);
  });

  it('is nothing while a startup probe gives it time, however long, and not what that probe said before', () => {
    const spec = { containers: [{ name: 'main', startupProbe: { exec: {} } }, { name: 'sidecar' }] };
    const running = (started: boolean): object => ({
      phase: 'Running',
      containerStatuses: ['sidecar', 'main'].map((name) => ({
        name,
        ready: false,
        started: started || name === 'sidecar',
        state: { running: { startedAt: CREATED } },
      })),
    });
    assert.equal(question({ spec, status: running(false) }), undefined);
    assert.equal(question({ spec, status: running(true) })?.past, 'Startup probe ');
  });

  it('is whether a probe had it killed', () => {
    const crashed = (exitCode: number, reason: string): object => ({
      containerStatuses: [
        {
          name: 'main',
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode, reason } },
        },
      ],
    });
    assert.equal(question({ status: crashed(137, 'Error') })?.reason, 'Unhealthy');
    assert.equal(question({ status: crashed(137, 'Error') })?.past, undefined, 'it may have been the startup probe');
    assert.equal(question({ status: crashed(137, 'OOMKilled') }), undefined);
    assert.equal(question({ status: crashed(1, 'Error') }), undefined);
  });

  it('is nothing for pods of others', () => {
    assert.equal(question({ metadata: { labels: {} } }), undefined);
  });
});
