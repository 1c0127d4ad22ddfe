import assert from 'node:assert/strict';
import { isNotFound } from '../../../../packages/kube/client/api-error.ts';
import {
  createGpuNode,
  createPod,
  podLabels,
  readyDeploymentStatus,
  setPodStatus,
} from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const DEPLOYMENTS = ownedType('Deployment');

describe('what an operator does for a stack', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    team = new Team(plane.client, await TestOperator.start(plane.connection));
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  it('names the GPUs that are missing, and finds them when a node comes', async () => {
    const spec = { applications: { llm: { gpu: { count: 2, product: 'A100' } } } };
    const none = await team.create('gpus', spec);
    assert.equal(conditionOf(none, 'GPUsAvailable').status, 'False');
    assert.match(conditionOf(none, 'GPUsAvailable').message, /no node has 2 free A100: the cluster has no nodes/);

    await createGpuNode(plane.client, 'wrong', 'T4', 8);
    await createGpuNode(plane.client, 'small', 'A100', 1);
    await eventually(async () => {
      const { message } = conditionOf(await team.stack('gpus'), 'GPUsAvailable');
      assert.match(message, /no node has 2 free A100: 1 node matches, at most 1 free/);
    });
    await createGpuNode(plane.client, 'big', 'A100', 4);
    await eventually(async () => {
      assert.equal(conditionOf(await team.stack('gpus'), 'GPUsAvailable').status, 'True');
    });
    await createPod(plane.client, { namespace: 'team-a', name: 'squatter', node: 'big', gpus: 3 });
    await team.change('gpus', { applications: { llm: { readerConfig: { maxBatchSize: 2 } } } });
    const full = await team.stack('gpus');
    assert.match(conditionOf(full, 'GPUsAvailable').message, /2 nodes match, at most 1 free/);
    assert.equal(full.status?.applications?.['llm']?.rollout, 'recreate');
    assert.match(full.status.applications['llm'].rolloutReason ?? '', /No matching node has 2 more free A100/);
    const { strategy } = (await team.owned('Deployment', 'gpus-inference-stack-llm'))['spec'] as { strategy: object };
    assert.deepEqual(strategy, { type: 'Recreate' });
  });

  it('tells of GPUs that no node has in every place where people look, and counts only GPUs in use', async () => {
    await team.create('greedy', { applications: { llm: { gpu: { count: 64, product: 'H200' } } } });
    const labels = podLabels('greedy', 'llm');
    await createPod(plane.client, { namespace: 'team-a', name: 'llm-1', labels, gpus: 64 });
    await setPodStatus(plane.client, 'team-a', 'llm-1', {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes: preemption' },
      ],
    });
    const sentence = /^Application llm has no node for 1 pod: no node has 64 free H200: .*\.$/;
    await eventually(async () => {
      const stack = await team.stack('greedy');
      const { message = '', lastProblem = '', gpus } = stack.status?.applications?.['llm'] ?? {};
      assert.match(message, sentence);
      assert.match(lastProblem, sentence);
      assert.ok(conditionOf(stack, 'Ready').message.startsWith(message.replace(/\.$/, '')));
      assert.equal(gpus, 0);
      assert.equal(stack.status?.gpus, 0);
    });
    await createPod(plane.client, { namespace: 'team-a', name: 'llm-2', labels, node: 'big', gpus: 1 });
    await eventually(async () => assert.equal((await team.stack('greedy')).status?.gpus, 1));
  });

  it('says when tensor parallelism and the GPUs of a pod do not agree', async () => {
    const stack = await team.create('parallel', {
      applications: { llm: { gpu: { count: 2 }, readerConfig: { modelName: 'm', tensorParallel: 4 } } },
    });
    assert.match(conditionOf(stack, 'Accepted').message, /tensorParallel: does not match the 2 GPUs.*got 4/);
  });

  it('reports what the pods themselves say, and when all is ready', async () => {
    await team.create('pods', { applications: { chat: {} } });
    const labels = podLabels('pods', 'chat');
    await createPod(plane.client, { namespace: 'team-a', name: 'chat-1', labels, node: 'big' });
    const waiting = { name: 'main', ready: false, restartCount: 0, image: '', imageID: '' };
    const report = (reason: string, message: string): Promise<void> =>
      setPodStatus(plane.client, 'team-a', 'chat-1', {
        phase: 'Pending',
        containerStatuses: [{ ...waiting, state: { waiting: { reason, message } } }],
      });
    const problem = (pattern: RegExp): Promise<void> =>
      eventually(async () => {
        const stack = await team.stack('pods');
        assert.match(stack.status?.applications?.['chat']?.lastProblem ?? '', pattern);
        assert.match(conditionOf(stack, 'ApplicationsReady').message, pattern);
      });
    await report('ImagePullBackOff', 'Back-off pulling image "x"');
    await problem(/chat-1.*ImagePullBackOff: Back-off pulling image/);
    await report('CreateContainerConfigError', 'secret "hf-token" not found');
    await problem(/secret "hf-token" not found/);
    await setPodStatus(plane.client, 'team-a', 'chat-1', {
      containerStatuses: [
        {
          ...waiting,
          restartCount: 4,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
        },
      ],
    });
    await problem(/4 restarts.*more memory than its limit/);
    await setPodStatus(plane.client, 'team-a', 'chat-1', {
      phase: 'Running',
      containerStatuses: [{ ...waiting, ready: true, state: { running: {} }, lastState: null }],
    });
    for (const name of ['pods-inference-stack-chat', 'pods-inference-stack-gateway']) {
      const ref = { namespace: 'team-a', name };
      const { metadata } = await plane.client.get(DEPLOYMENTS, ref);
      const status = readyDeploymentStatus(metadata.generation ?? 0, 1);
      await plane.client.mergePatch(DEPLOYMENTS, ref, status, { subresource: 'status' });
    }
    await eventually(async () => {
      const stack = await team.stack('pods');
      for (const type of ['Accepted', 'GatewayReady', 'ApplicationsReady', 'Ready']) {
        assert.equal(conditionOf(stack, type).status, 'True', type);
      }
      assert.equal(conditionOf(stack, 'Progressing').status, 'False');
      assert.equal(conditionOf(stack, 'Stalled').status, 'False');
      assert.deepEqual(stack.status?.applications?.['chat']?.nodes, ['big']);
      assert.equal(stack.status.applicationsReady, '1/1');
    });
  });

  it('keeps a model cache that is to be retained out of reach of garbage collection and pruning', async () => {
    await team.create('cache', {
      applications: {
        kept: { modelCache: { size: '10Gi' } },
        lost: { modelCache: { size: '10Gi', deletionPolicy: 'Delete' } },
      },
    });
    assert.equal(
      (await team.owned('PersistentVolumeClaim', 'cache-inference-stack-kept')).metadata.ownerReferences,
      undefined,
    );
    assert.equal(
      (await team.owned('PersistentVolumeClaim', 'cache-inference-stack-lost')).metadata.ownerReferences?.length,
      1,
    );
    await team.change('cache', { applications: { kept: null, lost: null } });
    await team.owned('PersistentVolumeClaim', 'cache-inference-stack-kept');
    // The claim is protected while it may be in use; that it is going is what counts.
    const lost = await team.owned('PersistentVolumeClaim', 'cache-inference-stack-lost').catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return undefined;
    });
    assert.ok(lost === undefined || lost.metadata.deletionTimestamp !== undefined);
  });

  it('lets go of a model cache when it is to be retained from now on, and takes it back', async () => {
    const withPolicy = (deletionPolicy: string): object => ({
      applications: { llm: { modelCache: { size: '10Gi', deletionPolicy } } },
    });
    const owners = async (): Promise<number> => {
      const { metadata } = await team.owned('PersistentVolumeClaim', 'policy-inference-stack-llm');
      return metadata.ownerReferences?.length ?? 0;
    };
    await team.create('policy', withPolicy('Delete'));
    assert.equal(await owners(), 1);
    const kept = await team.change('policy', { ...withPolicy('Retain') });
    assert.equal(conditionOf(kept, 'Stalled').status, 'False');
    assert.equal(await owners(), 0);
    await team.change('policy', { ...withPolicy('Delete') });
    assert.equal(await owners(), 1);
  });

  it('replaces the pod before the new one comes where both cannot mount the model cache', async () => {
    const modes = { once: 'ReadWriteOnce', pod: 'ReadWriteOncePod', many: 'ReadWriteMany' } as const;
    const stack = await team.create('modes', {
      applications: Object.fromEntries(
        Object.entries(modes).map(([name, accessMode]) => [name, { modelCache: { size: '1Gi', accessMode } }]),
      ),
    });
    const chosen = Object.entries(stack.status?.applications ?? {}).map(([name, { rollout }]) => [name, rollout]);
    assert.deepEqual(Object.fromEntries(chosen), { once: 'recreate', pod: 'recreate', many: 'surge' });
    assert.match(stack.status?.applications?.['once']?.rolloutReason ?? '', /The model cache is ReadWriteOnce/);
  });

  it('plans with whatever device `gpu` names', async () => {
    const stack = await team.create('gaudi', {
      applications: { llm: { gpu: { count: 8, resourceName: 'habana.ai/gaudi' } } },
    });
    assert.match(conditionOf(stack, 'GPUsAvailable').message, /no node has 8 free habana\.ai\/gaudi/);
  });

  it('keeps the runtime version that a stack started with, until the user asks for another', async () => {
    await team.create('frozen', { applications: { chat: {} } });
    await team.operator.stop();
    await plane.client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'frozen' },
      { status: { defaults: { runtimeVersion: '0.1.0-earlier' } } },
      { subresource: 'status' },
    );
    team.operator = await TestOperator.start(plane.connection, { version: '1.9.0', pod: 'upgraded' });
    await eventually(async () => assert.match(await image('frozen-inference-stack-chat'), /:0\.1\.0-earlier-gpu$/));
    await team.change('frozen', { runtimeVersion: 'operator' });
    await eventually(async () => assert.doesNotMatch(await image('frozen-inference-stack-chat'), /earlier/));
  });

  async function image(name: string): Promise<string> {
    const { spec } = (await team.owned('Deployment', name)) as unknown as {
      spec: { template: { spec: { containers: { image: string }[] } } };
    };
    return spec.template.spec.containers[0]?.image ?? '';
  }
});
