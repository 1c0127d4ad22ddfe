import assert from 'node:assert/strict';
import { deploymentSymptom } from '../../../../components/waits/deployment-symptom.ts';
import { newestPods } from '../../../../components/waits/rollout.ts';
import {
  CATALOGD_POD,
  crashing,
  replicaSet,
  rolledOutDeployment,
  rollingDeployment,
  unschedulable,
  waitingPod,
} from '../../../support/olm/waited-for.ts';

const NO_NODE = unschedulable('0/1 nodes are available: 1 Insufficient cpu.');

describe('why a Deployment does not become ready', () => {
  it('is nothing when its newest pod is the only one, and available', () => {
    assert.equal(deploymentSymptom(rolledOutDeployment(), [waitingPod(NO_NODE)]), undefined);
  });

  it('is nothing as long as its controller has not seen the newest spec', () => {
    assert.equal(deploymentSymptom(rollingDeployment({ observedGeneration: 1 }), [waitingPod(NO_NODE)]), undefined);
  });

  it('is nothing while its pods just start', () => {
    const creating = { containerStatuses: [{ name: 'manager', state: { waiting: { reason: 'ContainerCreating' } } }] };
    assert.equal(deploymentSymptom(rollingDeployment(), []), undefined);
    assert.equal(deploymentSymptom(rollingDeployment(), [waitingPod(creating)]), undefined);
  });

  it('is that no node takes its newest pod, although an old one serves', () => {
    const symptom = deploymentSymptom(rollingDeployment(), [waitingPod(NO_NODE)], { placement: 'Change a node.' });
    assert.equal(symptom?.object, 'Deployment olmv1-system/catalogd-controller-manager');
    assert.equal(
      symptom.message,
      `Pod ${CATALOGD_POD} cannot be scheduled: 0/1 nodes are available: 1 Insufficient cpu`,
    );
    assert.equal(symptom.remedy, 'Change a node.');
    assert.equal(symptom.question?.about, 'nodes');
  });

  it('is an image that cannot be pulled, and what to do about it', () => {
    const waiting = { reason: 'ErrImagePull', message: 'registry.example/catalogd:nope: not found' };
    const pod = waitingPod({ containerStatuses: [{ name: 'manager', state: { waiting } }] });
    const symptom = deploymentSymptom(rollingDeployment(), [pod], { image: 'Look at `olm.images`.' });
    assert.ok(symptom?.message?.endsWith('ErrImagePull: registry.example/catalogd:nope: not found'), symptom?.message);
    assert.equal(symptom?.remedy, 'Look at `olm.images`.');
  });

  it('is a crash, which is the same one however often it was restarted', () => {
    const [once, often] = [2, 7].map((restarts) =>
      deploymentSymptom(rollingDeployment(), [waitingPod(crashing(restarts))]),
    );
    assert.equal(
      once?.message,
      `Pod ${CATALOGD_POD}, container manager: keeps crashing (2 restarts): ended with exit code 1`,
    );
    assert.equal(once.id, often?.id);
    assert.match(
      once.remedy ?? '',
      /kubectl logs --namespace=olmv1-system catalogd-.* --container=manager --previous$/,
    );
  });

  it('is a crash as well while the container runs again', () => {
    const status = crashing(2);
    const again = status.containerStatuses?.map((each) => ({ ...each, state: { running: {} } })) ?? [];
    const symptom = deploymentSymptom(rollingDeployment(), [waitingPod({ ...status, containerStatuses: again })]);
    assert.match(symptom?.message ?? '', /keeps crashing \(2 restarts\)/);
  });

  it('is left to Events where a container runs and does not become ready', () => {
    const running = { name: 'manager', ready: false, state: { running: { startedAt: '2026-03-01T00:00:00Z' } } };
    const symptom = deploymentSymptom(rollingDeployment(), [waitingPod({ containerStatuses: [running] })]);
    assert.equal(symptom?.message, undefined);
    assert.equal(symptom?.question?.about, 'events');
  });

  it('is what the API server says when it makes no pods', () => {
    const message = 'pods "catalogd-x7x9z" is forbidden: exceeded quota: tight';
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }];
    const symptom = deploymentSymptom(rollingDeployment({ conditions }), []);
    assert.equal(symptom?.message, `its pods are refused: ${message}`);
  });

  it('is a webhook that does not answer, whose Service is named', () => {
    const message =
      'Internal error occurred: failed calling webhook "pods.policy.example": failed to call webhook: Post ' +
      '"https://policy.guard.svc:443/validate?timeout=10s": no endpoints available for service "policy"';
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }];
    const symptom = deploymentSymptom(rollingDeployment({ conditions }), []);
    assert.equal(
      symptom?.message,
      'the API server cannot call the webhook pods.policy.example of Service guard/policy: no endpoints available for service "policy"',
    );
    assert.match(symptom.remedy ?? '', /^Start the pods behind the webhook \(kubectl get pods --namespace=guard\)/);
  });
});

describe('the newest pods of a Deployment', () => {
  it('are those of the ReplicaSet of its revision, without those that leave', () => {
    const { metadata } = waitingPod({});
    const owned = (name: string, uid: string, more: object = {}): ReturnType<typeof waitingPod> =>
      waitingPod(
        {},
        { metadata: { ...metadata, name, ownerReferences: [{ apiVersion: '', kind: '', name: '', uid }], ...more } },
      );
    const pods = [
      owned('c', 'new'),
      owned('a', 'old'),
      owned('b', 'new'),
      owned('d', 'new', { deletionTimestamp: '2026-03-01T00:00:00Z' }),
    ];
    const sets = [replicaSet('old', '1'), replicaSet('new', '2')];
    const newest = newestPods(rollingDeployment(), sets, pods);
    assert.deepEqual(
      newest.map(({ metadata: { name } }) => name),
      ['b', 'c'],
    );
  });

  it('are none before there is a ReplicaSet of its revision', () => {
    assert.deepEqual(newestPods(rollingDeployment(), [replicaSet('new', '1')], [waitingPod({})]), []);
  });
});
