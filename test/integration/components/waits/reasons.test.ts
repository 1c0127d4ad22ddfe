import assert from 'node:assert/strict';
import { DEPLOYMENTS, WEBHOOKS } from '../../../../components/olm/resource-types.ts';
import { explain } from '../../../../components/waits/explain.ts';
import { deploymentTarget } from '../../../../components/waits/target.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { NODES, PODS } from '../../../../packages/kube/resource-types.ts';
import { createGpuNode, setPodStatus } from '../../../support/kubernetes/cluster-objects.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { startControllers, startScheduler } from '../../../support/kubernetes/kube-programs.ts';
import type { Program } from '../../../support/machine/program.ts';
import { createNamespace } from '../../../support/operator/stack-api.ts';

const NAMESPACE = 'olmv1-system';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

describe('reasons why a Deployment does not become ready, beside a real scheduler', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let programs: Program[];

  before(async () => {
    plane = await ControlPlane.start();
    await createNamespace(plane.client, NAMESPACE);
    programs = [
      await startControllers(plane, ['deployment-controller', 'replicaset-controller', 'garbage-collector-controller']),
      await startScheduler(plane),
    ];
    await createGpuNode(plane.client, 'n1', 'H100', 2);
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await plane.stop();
  });

  async function deploy(name: string, pod: object = {}, container: object = {}): Promise<void> {
    const labels = { app: name };
    const containers = [{ name: 'manager', image: 'example.com/manager:1', ...container }];
    await plane.client.create(DEPLOYMENTS, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: NAMESPACE },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { ...pod, containers } } },
    });
  }

  /** What is said about a Deployment, once there is something to say. */
  async function said(name: string): Promise<string> {
    return eventually(async () => {
      const [symptom] = await deploymentTarget({ name, namespace: NAMESPACE }).symptoms(plane.client);
      assert.ok(symptom, 'nothing is wrong yet');
      const problem = await explain(symptom, plane.client, Date.now());
      assert.ok(problem, 'nothing is known yet');
      return formatProblem(problem);
    });
  }

  /** Says of the one pod of a Deployment what its kubelet would. */
  async function report(name: string, status: Record<string, unknown>): Promise<void> {
    const { metadata } = await eventually(async () => {
      const [pod] = await plane.client.listAll(PODS, { namespace: NAMESPACE, labelSelector: `app=${name}` });
      assert.ok((pod?.['spec'] as { nodeName?: string } | undefined)?.nodeName, 'the pod has no node yet');
      return pod as NonNullable<typeof pod>;
    });
    await setPodStatus(plane.client, NAMESPACE, metadata.name, status);
  }

  it('name the label that no node has', async () => {
    await deploy('by-label', { nodeSelector: { [CONTROL_PLANE]: '' } });
    assert.match(
      await said('by-label'),
      /cannot be scheduled: 1 node lacks the label node-role\.kubernetes\.io\/control-plane=$/,
    );
  });

  it('name the label that nodes have with another value', async () => {
    await plane.client.mergePatch(NODES, { name: 'n1' }, { metadata: { labels: { [CONTROL_PLANE]: 'true' } } });
    await deploy('by-value', { nodeSelector: { [CONTROL_PLANE]: '' } });
    assert.match(await said('by-value'), /no node has the label .*control-plane=; nodes have .*control-plane=true$/);
  });

  it('name the amount that no node has', async () => {
    await deploy('by-size', {}, { resources: { requests: { cpu: '100', memory: '1Gi' } } });
    assert.match(await said('by-size'), /it asks for 100 cpu, and the largest node that matches has 32 cpu$/);
  });

  it('name what a pod asks for when others hold what there is', async () => {
    await deploy('holder', {}, { resources: { requests: { cpu: '20' } } });
    await report('holder', { phase: 'Running' });
    await deploy('by-room', {}, { resources: { requests: { cpu: '20' } } });
    assert.match(await said('by-room'), /it asks for 20 cpu, which no node that matches has free$/);
  });

  it('name the taint that keeps pods away', async () => {
    const taints = [{ key: 'gpu', value: 'only', effect: 'NoSchedule' }];
    await plane.client.mergePatch(NODES, { name: 'n1' }, { spec: { taints } });
    await deploy('by-taint');
    assert.match(await said('by-taint'), /1 node has the taint gpu=only:NoSchedule$/);
    await plane.client.mergePatch(NODES, { name: 'n1' }, { spec: { taints: null } });
  });

  it('name an image that is not found', async () => {
    await deploy('by-image');
    const waiting = { reason: 'ErrImagePull', message: 'example.com/manager:1: not found' };
    const containerStatuses = [
      { name: 'manager', image: '', imageID: '', ready: false, restartCount: 0, state: { waiting } },
    ];
    await report('by-image', { phase: 'Pending', containerStatuses });
    assert.match(await said('by-image'), /container manager: ErrImagePull: example\.com\/manager:1: not found$/);
  });

  it('name a crash, and how to read its log where nobody serves it to us', async () => {
    await deploy('by-crash');
    const lastState = { terminated: { exitCode: 1, reason: 'Error' } };
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    const container = { name: 'manager', image: '', imageID: '', ready: false, restartCount: 2, state, lastState };
    await report('by-crash', { phase: 'Running', containerStatuses: [container] });
    assert.match(
      await said('by-crash'),
      /keeps crashing \(2 restarts\): ended with exit code 1\. Full log: kubectl logs --namespace=olmv1-system by-crash-/,
    );
  });

  it('name a webhook that does not answer, and its Service', async () => {
    await plane.client.create(WEBHOOKS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'gone' },
      webhooks: [
        {
          name: 'pods.gone.example',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
          clientConfig: { service: { namespace: 'guard', name: 'gone', path: '/mutate' } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
      ],
    });
    let tries = 0;
    await eventually(async () => {
      tries += 1;
      const refused = plane.client.create(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `probe-${tries}`, namespace: NAMESPACE },
        spec: { containers: [{ name: 'main', image: 'example.com/main:1' }] },
      });
      await assert.rejects(refused, /failed calling webhook/);
    });
    await deploy('by-webhook');
    assert.match(
      await said('by-webhook'),
      /cannot call the webhook pods\.gone\.example of Service guard\/gone: .*not found\. Start the pods behind the webhook \(kubectl get pods --namespace=guard\)/,
    );
  });
});
