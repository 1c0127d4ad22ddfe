import assert from 'node:assert/strict';
import type { Application } from '../../../../../packages/api/types.ts';
import { DevicesInUse } from '../../../../../controller/src/reconcile/gpu/devices-in-use.ts';
import { Interests } from '../../../../../controller/src/reconcile/interests.ts';
import { interestsOf } from '../../../../../controller/src/reconcile/reconciler.ts';
import { stackKeyOf } from '../../../../../controller/src/reconcile/stack-view.ts';
import type { State, World } from '../../../../../controller/src/reconcile/state.ts';
import { neededBy } from '../../../../../controller/src/reconcile/needed.ts';
import { apply } from '../../../../../controller/src/reconcile/steps/apply.ts';
import { ApiError } from '../../../../../packages/kube/client/api-error.ts';
import { LINE_LIMIT } from '../../../../../packages/lib/message.ts';
import { GPU } from '../../../../support/kubernetes/cluster-objects.ts';
import { nodeWith, podOn } from '../../../../support/kubernetes/nodes.ts';
import { planned, podOf, type Scene } from '../../../../support/operator/planning.ts';
import { stackWith } from '../../../../support/people/stacks.ts';

const NODES = [nodeWith('a', 4)];

function scene(application: Application, more: Partial<Scene> = {}): Scene {
  const spec = { applications: { llm: { gpu: { count: 9 }, ...application } } };
  return { spec, nodes: NODES, pods: [podOf('llm', 'a', 1)], recorded: { llm: 'recreate' }, ...more };
}

async function held(application: Application, more: Partial<Scene> = {}): Promise<string | undefined> {
  return (await planned(scene(application, more))).rollouts.held.get('llm')?.why;
}

describe('a change that no node could satisfy even without the old pods', () => {
  it('waits, and the stack says why', async () => {
    const { rollouts, conditions, rendered } = await planned(scene({}));
    const sentence =
      'Application llm stays as it was: even without its pods no node has 9 free nvidia.com/gpu: 1 node matches, at most 4 free.';
    assert.deepEqual(rollouts.held.get('llm'), { why: sentence, lacksGpus: true });
    const { status, reason, message } = conditions.get('GPUsAvailable') ?? {};
    assert.deepEqual([status, reason, message], ['False', 'InsufficientGPUs', sentence]);
    assert.ok(sentence.length <= LINE_LIMIT);
    assert.equal(rollouts.choices.get('llm')?.strategy, 'recreate', 'what is not begun is not prepared either');
    assert.ok(rendered !== undefined);
  });

  it('waits also where others hold what it needs, or no node has the label', async () => {
    assert.equal(await held({ gpu: { count: 4 } }), undefined);
    assert.match(
      (await held({ gpu: { count: 4 } }, { pods: [podOf('llm', 'a', 1), podOn('a', 1)] })) ?? '',
      /at most 3 free/,
    );
    assert.match((await held({ gpu: { count: 1, product: 'H100' } })) ?? '', /the cluster has A100\.$/);
    const cache = { modelCache: { size: '1Gi' }, nodeSelector: { pool: 'x' } };
    assert.match(
      (await held({}, { spec: { applications: { llm: cache } } })) ?? '',
      /^Application llm stays as it was: even without its pods 1 node lacks the label pool=x\.$/,
    );
  });

  it('does not wait where nothing runs, nor where the spec asks for a way, nor where only the number of pods changes', async () => {
    assert.equal(await held({}, { pods: [] }), undefined);
    assert.equal(await held({}, { pods: [podOf('llm', 'a', 1, { leaving: true })] }), undefined);
    assert.equal(await held({ rollout: 'recreate' }), undefined);
    const isApplied: Scene['isApplied'] = ({ spec }) => (spec as { replicas?: number }).replicas === 2;
    const pods = [podOf('llm', 'a', 1)];
    assert.equal(await held({}, { pods, isApplied, deployment: { replicas: 2 } }), undefined);
  });

  it('waits with the whole stack where names change, so that what serves stays to be found', async () => {
    const spec = { fullnameOverride: 'other', applications: { llm: { gpu: { count: 9 } }, small: {} } };
    const state = await planned(scene({}, { spec, renamed: true }));
    const { held, keepsNames } = state.rollouts;
    const sentence = 'The names of the stack stay as they were until application llm can be replaced.';
    assert.equal(keepsNames, sentence);
    assert.match(held.get('llm')?.why ?? '', /^Application llm stays as it was: even without its pods no node has 9/);
    assert.deepEqual(held.get('small'), { why: sentence, lacksGpus: false });
    await apply({ ...state, unapplied: [], failures: [], leftovers: [] }, {} as World);
    const isNeeded = neededBy(state.rendered?.objects ?? [], state.rendered?.objects ?? []);
    for (const object of state.rendered?.objects ?? []) assert.ok(isNeeded(object), `${object.kind} of the old name`);
    const fits = await planned(scene({}, { spec: { applications: { llm: { gpu: { count: 4 } } } }, renamed: true }));
    assert.deepEqual([fits.rollouts.keepsNames, fits.rollouts.held.size], [undefined, 0]);
  });

  it('reserves nothing where the whole stack waits, so that others are not told at each look that it is given back', async () => {
    const pods = [podOf('llm', 'a', 1), podOf('small', 'a', 1)];
    const small = { gpu: { count: 1 }, rollout: 'surge' } as const;
    const slotsFor = async (count: number): Promise<unknown> => {
      const spec = { fullnameOverride: 'other', applications: { llm: { gpu: { count } }, small } };
      const { rollouts } = await planned(scene({}, { spec, pods, renamed: true }));
      return rollouts.slots.filter(({ application }) => application === 'small').length;
    };
    assert.deepEqual([await slotsFor(1), await slotsFor(9)], [1, 0]);
  });

  it('waits in the middle of a rollout that would end pods, and not in one that adds first', async () => {
    const rolling = { deployment: { updatedReplicas: 0 } };
    assert.match((await held({}, rolling)) ?? '', /stays as it was/);
    assert.equal(await held({}, { ...rolling, recorded: { llm: 'surge' } }), undefined);
  });

  it('waits for more memory, processors or other devices than any node has, and does not call that GPUs', async () => {
    const nodes = [nodeWith('a', 1, { allocatable: { cpu: 32, memory: 256 * 2 ** 30 } })];
    for (const [resource, amount] of Object.entries({ memory: '900Ti', cpu: '5000', 'rdma/hca': '1' })) {
      const resources = { limits: { [resource]: amount }, requests: { [resource]: amount } };
      const { rollouts, conditions } = await planned(scene({ gpu: { count: 1 }, resources }, { nodes }));
      const why = `Application llm stays as it was: even without its pods no matching node has that much ${resource}.`;
      assert.deepEqual(rollouts.held.get('llm'), { why, lacksGpus: false });
      assert.equal(conditions.get('GPUsAvailable')?.status, 'True');
    }
    const fitting = { limits: { memory: '256Gi' }, requests: { memory: '256Gi' } };
    assert.equal(await held({ gpu: { count: 1 }, resources: fitting }, { nodes }), undefined);
  });

  it('waits for a claim that does not exist, which no pod that runs can mount', async () => {
    const modelsVolume = { persistentVolumeClaim: { claimName: 'modles' } };
    const free = { nodes: [nodeWith('a', 8)], recorded: { llm: 'surge' } } as const;
    const { rollouts, requeueAfterMs } = await planned(scene({ gpu: { count: 1 }, modelsVolume }, free));
    const why = 'Application llm stays as it was: the claim modles does not exist.';
    assert.deepEqual(rollouts.held.get('llm'), { why, lacksGpus: false });
    assert.equal(requeueAfterMs, 15_000, 'claims of users are not watched');
    const nothingRuns = await planned(scene({ gpu: { count: 1 }, modelsVolume }, { ...free, pods: [] }));
    assert.equal(nothingRuns.requeueAfterMs, undefined, 'the pods tell when the claim comes');
  });

  it('does not keep an application from being suspended', async () => {
    assert.equal(await held({ suspend: true }), undefined);
    const modelsVolume = { persistentVolumeClaim: { claimName: 'modles' } };
    assert.equal(await held({ suspend: true, gpu: { count: 1 }, modelsVolume }), undefined);
  });

  it('goes on when a node comes', async () => {
    assert.equal(await held({}, { nodes: [...NODES, nodeWith('b', 16)] }), undefined);
  });

  it('leaves every object of the application alone, and no other', async () => {
    const state = await planned({ ...scene({}), spec: { applications: { llm: { gpu: { count: 9 } }, other: {} } } });
    const applied: string[] = [];
    const applier = { apply: ({ metadata }: { metadata: { name: string } }) => void applied.push(metadata.name) };
    Object.assign(state, { unapplied: [], failures: [], leftovers: [] } satisfies Partial<State>);
    await apply(state, { applier } as unknown as World);
    const names = new Set(applied.map((name) => name.replace('chat-inference-stack', '')));
    assert.deepEqual([...names].sort(), ['', '-gateway', '-other']);
    const waiting = state.unapplied.map(
      ({ kind, metadata }) => `${kind}${metadata.name.replace('chat-inference-stack', '')}`,
    );
    assert.deepEqual(waiting, ['ConfigMap-llm', 'Deployment-llm', 'PodDisruptionBudget-llm']);
  });
});

describe('a change that the API server refuses', () => {
  it('keeps no GPUs from others, since no pod will come of it', async () => {
    const devices = new DevicesInUse();
    const pods = [podOf('llm', 'cpu', 0)];
    const wanted = scene({ gpu: { count: 4 } }, { pods, recorded: { llm: 'surge' }, devices });
    const state = await planned(wanted);
    assert.equal(devices.on('a', 'nvidia.com/gpu'), 4);
    await refuse(state, devices);
    assert.equal(devices.on('a', 'nvidia.com/gpu'), 0);
  });

  it('is tried again without waking others whose change is refused too, but for those that counted meanwhile', async () => {
    const told: string[] = [];
    const interests = new Interests({ wakeMs: 1, tellMs: 2 });
    const devices = new DevicesInUse((freed, by, whom) => interests.wake(freed, (key) => told.push(key), by, whom));
    const tryOnce = async (name: string, meanwhile = (): void => undefined): Promise<void> => {
      const pods = [podOf('llm', 'cpu', 0, { stack: `team-a/${name}` })];
      const spec = { applications: { llm: { gpu: { count: 1 } } } };
      const key = stackKeyOf(stackWith(spec, name));
      interests.begin(key);
      const state = await planned(scene({}, { spec, name, pods, recorded: { llm: 'surge' }, devices }));
      assert.equal(state.rollouts.slots.length, 1);
      meanwhile();
      await refuse(state, devices);
      assert.equal(interests.set(key, interestsOf(state), true), undefined);
      interests.end(key);
    };
    for (const name of ['one', 'other', 'one', 'other']) await tryOnce(name);
    assert.deepEqual(told, []);
    await tryOnce('one', () => interests.set('third', { waitsFor: [GPU], follows: [] }));
    assert.deepEqual(told, ['third']);
  });
});

/** Applies what was planned, where the API server refuses Deployments. */
async function refuse(state: State, devices: DevicesInUse): Promise<void> {
  Object.assign(state, { unapplied: [], failures: [], leftovers: [] } satisfies Partial<State>);
  const answer = ({ kind }: { kind: string }): Promise<string> =>
    kind === 'Deployment'
      ? Promise.reject(new ApiError('PATCH', 422, { message: 'invalid' }))
      : Promise.resolve('applied');
  const owned = { get: () => undefined };
  await apply(state, { applier: { apply: answer }, devices, owned } as unknown as World);
}
