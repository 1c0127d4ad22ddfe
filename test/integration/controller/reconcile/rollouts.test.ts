import assert from 'node:assert/strict';
import type { Application, InferenceStack } from '../../../../packages/api/types.ts';
import { NODES, PODS } from '../../../../packages/kube/resource-types.ts';
import { EVENTS } from '../../../../packages/kube/events.ts';
import { createGpuNode, createPod } from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { FakeKubelet } from '../../../support/kubernetes/fake-kubelet.ts';
import { startControllers, startScheduler } from '../../../support/kubernetes/kube-programs.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import type { Program } from '../../../support/machine/program.ts';
import { conditionOf, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const CONTROLLERS = ['deployment-controller', 'replicaset-controller', 'garbage-collector-controller'];
const HOSTNAME = 'kubernetes.io/hostname';

describe('rollouts beside a real scheduler', function () {
  this.timeout(180_000);
  let plane: ControlPlane;
  let programs: Program[];
  let team: Team;
  let kubelet: FakeKubelet;

  before(async () => {
    plane = await startPlane();
    programs = [await startControllers(plane, CONTROLLERS), await startScheduler(plane)];
    for (const [name, product, gpus] of [
      ['n1', 'H100', 2],
      ['n2', 'A100', 1],
    ] as const) {
      await createGpuNode(plane.client, name, product, gpus);
      await plane.client.mergePatch(NODES, { name }, { metadata: { labels: { [HOSTNAME]: name } } });
    }
    team = new Team(plane.client, await TestOperator.start(plane.connection));
    kubelet = new FakeKubelet(plane.client, 'team-a');
  });
  after(async () => {
    await team.operator.stop();
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await plane.stop();
  });

  /** Plays the kubelet until the check holds. */
  async function played(
    stack: string,
    check: (stack: InferenceStack) => void | Promise<void>,
  ): Promise<InferenceStack> {
    return eventually(async () => {
      const { metadata, spec, status } = await team.stack(stack);
      for (const name of Object.keys(spec.applications ?? {})) await kubelet.startAll(`application-${name}`);
      await kubelet.finishAll();
      assert.equal(status?.observedGeneration, metadata.generation);
      const live = await team.stack(stack);
      await check(live);
      return live;
    }, 60_000);
  }

  /** Plays until the applications have only pods of the newest configuration. */
  async function rolledOut(stack: string): Promise<InferenceStack> {
    return played(stack, ({ spec, status }) => {
      for (const name of Object.keys(spec.applications ?? {})) {
        assert.equal(status?.applications?.[name]?.phase, 'Ready', name);
      }
    });
  }

  async function create(stack: string, applications: Record<string, Application>): Promise<InferenceStack> {
    // Its pods would take part in whatever the pods of the stack must keep away from.
    await plane.client.create(STACKS, newStack('team-a', stack, { gateway: { replicaCount: 0 }, applications }));
    return rolledOut(stack);
  }

  async function change(stack: string, spec: object): Promise<void> {
    await plane.client.mergePatch(STACKS, { namespace: 'team-a', name: stack }, { spec });
  }

  afterEach(async () => {
    for (const { metadata } of await plane.client.listAll(STACKS)) await plane.client.delete(STACKS, metadata);
    await eventually(async () => {
      const pods = await plane.client.listAll(PODS, { namespace: 'team-a' });
      for (const { metadata } of pods)
        await plane.client.delete(PODS, metadata, { gracePeriodSeconds: 0 }).catch(() => 0);
      assert.deepEqual(pods, []);
    }, 60_000);
  });

  /** What Events say about rollouts of a stack that went on in another way than they began. */
  async function changesOf({ metadata }: InferenceStack): Promise<string[]> {
    const events = await plane.client.listAll(EVENTS, { namespace: 'team-a' });
    const ours = events.filter(({ involvedObject }) => (involvedObject as { uid?: string }).uid === metadata.uid);
    return ours.filter(({ reason }) => reason === 'RolloutChanged').map(({ message }) => String(message));
  }

  /** How the pods of each application are, or would be, replaced. */
  function rollouts({ status }: InferenceStack): string[] {
    return Object.values(status?.applications ?? {}).map(({ rollout = '' }) => rollout);
  }

  const SMALLER_BATCHES = { applicationTemplate: { readerConfig: { maxBatchSize: 7 } } };

  it('end when two applications change at once and there is one spare GPU', async () => {
    await createPod(plane.client, { namespace: 'team-a', name: 'filler', node: 'n1', gpus: 1 });
    await create('both', { h100: { gpu: { count: 1, product: 'H100' } } });
    await change('both', { applications: { any: { gpu: { count: 1 } } } });
    await rolledOut('both');
    await plane.client.delete(PODS, { namespace: 'team-a', name: 'filler' }, { gracePeriodSeconds: 0 });
    await change('both', SMALLER_BATCHES);
    assert.deepEqual(await changesOf(await rolledOut('both')), [], 'each in the way in which it began');
  });

  it('end when a pod may not run beside another one of its kind', async () => {
    const required = [
      { topologyKey: HOSTNAME, labelSelector: { matchLabels: { 'app.kubernetes.io/instance': 'apart' } } },
    ];
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    await create('apart', { llm: { gpu: { count: 1, product: 'H100' }, affinity } });
    await change('apart', SMALLER_BATCHES);
    const stack = await rolledOut('apart');
    assert.match(
      stack.status?.applications?.['llm']?.rolloutReason ?? '',
      /^Its pod anti-affinity keeps a new pod from/,
    );
    assert.deepEqual(await changesOf(stack), []);
  });

  it('that somebody starts by hand end too, although the GPUs were taken since the last one', async () => {
    await create('restarted', { llm: { gpu: { count: 1, product: 'H100' } } });
    await createPod(plane.client, { namespace: 'team-a', name: 'filler', node: 'n1', gpus: 1 });
    await played('restarted', (stack) => assert.deepEqual(rollouts(stack), ['recreate']));
    assert.equal(
      (await team.stack('restarted')).status?.applications?.['llm']?.phase,
      'Ready',
      'nothing was restarted',
    );
    const [before] = await kubelet.pods('application-llm');
    await restart('restarted-inference-stack-llm');
    await played('restarted', async ({ status }) => {
      const [pod] = await kubelet.pods('application-llm');
      assert.notEqual(pod?.metadata.uid, before?.metadata.uid);
      assert.equal(status?.applications?.['llm']?.phase, 'Ready');
    });
    await plane.client.delete(PODS, { namespace: 'team-a', name: 'filler' }, { gracePeriodSeconds: 0 });
    await played('restarted', (stack) => assert.deepEqual(rollouts(stack), ['surge'], 'the room has lasted'));
  });

  it('go on in another way when the new pod finds no node for a reason that nobody foresaw', async () => {
    const resources = { requests: { cpu: '20' } };
    await create('stuck', { llm: { gpu: { count: 1, product: 'H100' }, resources } });
    await change('stuck', SMALLER_BATCHES);
    const [told] = await changesOf(await rolledOut('stuck'));
    assert.match(told ?? '', /^Application llm: A new pod found no node for 3 seconds beside the old ones, so/);
  });

  it('go on in another way when an old pod, which has to end first, never does', async () => {
    await create('wedged', { llm: { gpu: { count: 1, product: 'H100' } } });
    await createPod(plane.client, { namespace: 'team-a', name: 'filler', node: 'n1', gpus: 1 });
    await played('wedged', (stack) => assert.deepEqual(rollouts(stack), ['recreate']));
    const [old] = await kubelet.pods('application-llm');
    assert.ok(old);
    const finalizers = (list: string[]): Promise<unknown> =>
      plane.client.mergePatch(PODS, old.metadata, { metadata: { finalizers: list } });
    await finalizers(['example.com/its-node-is-gone']);
    await change('wedged', SMALLER_BATCHES);
    await eventually(async () => assert.deepEqual(await kubelet.pods('application-llm'), []));
    await plane.client.delete(PODS, { namespace: 'team-a', name: 'filler' }, { gracePeriodSeconds: 0 });
    const [told] = await changesOf(await rolledOut('wedged'));
    assert.match(told ?? '', /^Application llm: An old pod has not ended 3 seconds after it had to, so the new one/);
    await finalizers([]);
  });

  it('do not begin when no node could take the new pod even without the old one, and begin when one comes', async () => {
    await create('held', { llm: { gpu: { count: 1, product: 'H100' } } });
    const [before] = await kubelet.pods('application-llm');
    await change('held', { applications: { llm: { gpu: { count: 9 } } } });
    const held = await played('held', (stack) => {
      const sentence =
        /^Application llm stays as it was: even without its pods no node has 9 free H100: .* at most 2 free/;
      for (const type of ['Ready', 'GPUsAvailable']) assert.match(conditionOf(stack, type).message, sentence);
    });
    assert.equal(conditionOf(held, 'Ready').reason, 'InsufficientGPUs');
    await team.operator.quiet();
    const serving = await kubelet.pods('application-llm');
    assert.deepEqual(
      serving.map(({ metadata }) => metadata.uid),
      [before?.metadata.uid],
    );
    await createGpuNode(plane.client, 'n3', 'H100', 16);
    await played('held', ({ status }) => assert.deepEqual(status?.applications?.['llm']?.nodes, ['n3']));
    await rolledOut('held');
  });

  async function restart(deployment: string): Promise<void> {
    const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
    const spec = { template: { metadata: { annotations } } };
    await plane.client.mergePatch(ownedType('Deployment'), { namespace: 'team-a', name: deployment }, { spec });
  }
});
