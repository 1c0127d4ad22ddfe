import assert from 'node:assert/strict';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { isNotFound } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { run } from '../../../../packages/lib/command.ts';
import { createGpuNode, createPod } from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { FakeKubelet } from '../../../support/kubernetes/fake-kubelet.ts';
import { History } from '../../../support/kubernetes/history.ts';
import { startControllers, startScheduler } from '../../../support/kubernetes/kube-programs.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import type { Program } from '../../../support/machine/program.ts';
import { ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'disruption-controller',
  'garbage-collector-controller',
];
const SURGE = JSON.stringify({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
const RECREATE = JSON.stringify({ type: 'Recreate' });

describe("a stack beside Kubernetes' own controllers", function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let programs: Program[];
  let team: Team;
  let kubelet: FakeKubelet;

  before(async () => {
    plane = await startPlane();
    programs = [await startControllers(plane, CONTROLLERS), await startScheduler(plane)];
    // Before the operator starts: of what comes later it may hear after it has heard of a stack.
    await createGpuNode(plane.client, 'two', 'A100', 2);
    team = new Team(plane.client, await TestOperator.start(plane.connection));
    kubelet = new FakeKubelet(plane.client, 'team-a');
  });
  after(async () => {
    await team.operator.stop();
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await plane.stop();
  });

  /** Plays the kubelet until the application has all of its pods, and only pods of the newest configuration. */
  async function rolledOut(stack: string, application: string): Promise<void> {
    await eventually(async () => {
      await kubelet.startAll(`application-${application}`);
      await kubelet.finishAll();
      const { status } = await team.stack(stack);
      assert.equal(status?.applications?.[application]?.phase, 'Ready');
    }, 30_000);
    await team.settled(stack);
  }

  it('keeps the strategy that a rollout began with until it has ended, whatever becomes of the GPUs', async () => {
    await team.create('rolling', { applications: { llm: { gpu: { count: 1, product: 'A100' } } } });
    await rolledOut('rolling', 'llm');
    const ref = { namespace: 'team-a', name: 'rolling-inference-stack-llm' };
    const strategies = await History.record(
      plane.client,
      ownedType('Deployment'),
      ref,
      (object) => (object['spec'] as { strategy?: unknown }).strategy,
    );
    const change = (size: number): Promise<unknown> =>
      team.change('rolling', { applications: { llm: { readerConfig: { maxBatchSize: size } } } });

    await change(1);
    await eventually(async () => assert.equal((await kubelet.pods('application-llm')).length, 2));
    // The new pod has taken the last GPU, so that a rollout which began now would have to recreate.
    await change(2);
    const midway = await team.settled('rolling');
    assert.notEqual(midway.status?.applications?.['llm']?.phase, 'Ready');
    assert.equal(midway.status?.applications?.['llm']?.rollout, 'surge');
    assert.deepEqual(strategies.values, [SURGE]);

    await rolledOut('rolling', 'llm');
    await createPod(plane.client, { namespace: 'team-a', name: 'squatter', node: 'two', gpus: 1 });
    await eventually(() => assert.deepEqual(strategies.values, [SURGE, RECREATE], 'a restart by hand is prepared for'));
    await change(3);
    await rolledOut('rolling', 'llm');
    assert.deepEqual(strategies.values, [SURGE, RECREATE]);
    strategies.stop();
  });

  it('lets one ready pod be evicted and refuses the second, and lets a single one be drained', async () => {
    await team.create('drained', { applications: { many: { replicaCount: 3 }, single: {} } });
    for (const application of ['many', 'single']) await rolledOut('drained', application);
    const pods = await kubelet.pods('application-many');
    assert.equal(pods.length, 3);
    await eventually(async () => assert.equal(await disruptionsAllowed('drained-inference-stack-many'), 1));
    const [first = '', second = ''] = pods.map(({ metadata }) => metadata.name);
    await evict(first);
    await assert.rejects(evict(second), /violate the pod's disruption budget/);

    const [only] = await kubelet.pods('application-single');
    await eventually(async () => assert.equal(await disruptionsAllowed('drained-inference-stack-single'), 1));
    await evict(only?.metadata.name ?? '');
  });

  it('goes with everything that it owns when it is deleted, and leaves the model cache that is to be kept', async () => {
    const stack = await team.create('deleted', {
      applications: {
        kept: { modelCache: { size: '1Gi' } },
        lost: { modelCache: { size: '1Gi', deletionPolicy: 'Delete' } },
      },
    });
    const inventory = stack.status?.inventory ?? [];
    await plane.client.delete(STACKS, stack.metadata);
    const kept = 'PersistentVolumeClaim/deleted-inference-stack-kept';
    await eventually(async () => {
      await kubelet.finishAll();
      const left: string[] = [];
      for (const { kind, name } of inventory) if (await isThere(kind, name)) left.push(`${kind}/${name}`);
      assert.deepEqual(left, [kept]);
    }, 60_000);
  });

  it('may be made again as soon as it was deleted, and waits for what is left of the earlier one', async () => {
    const ref = { namespace: 'team-a', name: 'again' };
    const earlier = await team.create('again', { applications: { chat: {} } });
    const states = await History.record(plane.client, STACKS, ref, (object) => {
      const { conditions = [] } = (object as unknown as InferenceStack).status ?? {};
      return conditions.filter(({ type, status }) => type === 'Stalled' && status === 'True');
    });
    await plane.client.delete(STACKS, ref);
    const { metadata } = await team.create('again', { applications: { chat: {} } });
    assert.notEqual(metadata.uid, earlier.metadata.uid);
    await eventually(async () => {
      await kubelet.finishAll();
      const deployment = await team.owned('Deployment', 'again-inference-stack-chat');
      assert.equal(deployment.metadata.ownerReferences?.[0]?.uid, metadata.uid);
    }, 30_000);
    await team.settled('again');
    assert.deepEqual(states.values, ['[]']);
    states.stop();
  });

  async function evict(name: string): Promise<void> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'team-a' } };
    const path = `/api/v1/namespaces/team-a/pods/${name}/eviction`;
    const kubeconfig = await plane.kubeconfig();
    await run('kubectl', [`--kubeconfig=${kubeconfig}`, 'create', '--raw', path, '-f', '-'], {
      input: JSON.stringify(eviction),
    });
  }

  async function disruptionsAllowed(name: string): Promise<number | undefined> {
    const { status } = (await team.owned('PodDisruptionBudget', name)) as KubernetesObject & {
      status?: { disruptionsAllowed?: number };
    };
    return status?.disruptionsAllowed;
  }

  /** A claim is protected for as long as a controller that is not part of this plane says so: going counts as gone. */
  async function isThere(kind: string, name: string): Promise<boolean> {
    try {
      return (await team.owned(kind, name)).metadata.deletionTimestamp === undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return false;
    }
  }
});
