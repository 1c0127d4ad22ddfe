import assert from 'node:assert/strict';
import type { InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { DEFAULT_PATIENCE } from '../../../../../controller/src/reconcile/rollout/patience.ts';
import { nodeWith } from '../../../../support/kubernetes/nodes.ts';
import { planned, podOf, type Scene } from '../../../../support/operator/planning.ts';

const { placeMs } = DEFAULT_PATIENCE;
const NOW = 10 * placeMs;

function llm(more: object = {}): InferenceStackSpec {
  return { applications: { llm: { gpu: { count: 1 }, ...more } } };
}

/** A pod that was told to end, and should have this long ago. */
function leaving(lateMs: number, node = 'gone'): ReturnType<typeof podOf> {
  return podOf('llm', node, 1, { leaving: true, endsBy: NOW - lateMs });
}

async function strategy(scene: Scene): Promise<string | undefined> {
  return (await planned(scene)).rollouts.choices.get('llm')?.strategy;
}

describe('a pod that was told to end and never does', () => {
  /** A new pod has found no node beside an old one, since the beginning of time. */
  const stuck = (lateMs: number, more: Partial<Scene> = {}): Scene => ({
    spec: llm({ replicaCount: 2 }),
    nodes: [nodeWith('a', 1)],
    pods: [podOf('llm', 'a', 1), leaving(lateMs), podOf('llm', undefined, 1, { unschedulableSince: 0 })],
    recorded: { llm: 'surge' },
    deployment: { totalReplicas: 2, updatedReplicas: 1 },
    isApplied: () => true,
    now: NOW,
    ...more,
  });

  it('is waited for only for a while by a rollout that needs room', async () => {
    const early = await planned(stuck(placeMs - 1000));
    assert.equal(early.rollouts.choices.get('llm')?.strategy, 'surge');
    assert.equal(early.requeueAfterMs, 1000);
    assert.equal(await strategy(stuck(placeMs)), 'inPlace');
  });

  it('has no rollout go on in a way that waits for the end of all old pods', async () => {
    const scene = stuck(placeMs, { recorded: { llm: 'inPlace' } });
    assert.equal(await strategy(scene), 'inPlace');
    assert.equal(await strategy(stuck(placeMs, { spec: llm() })), 'inPlace', 'also where one pod is wanted');
  });

  it('does not keep the new pod from being made where the old ones have to end first', async () => {
    const scene = (lateMs: number, spec = llm()): Scene => ({
      ...stuck(lateMs, { spec, pods: [leaving(lateMs)], recorded: { llm: 'recreate' } }),
      deployment: { totalReplicas: 0, updatedReplicas: 0, readyReplicas: 0 },
    });
    const early = await planned(scene(0));
    assert.deepEqual([early.rollouts.choices.get('llm')?.strategy, early.requeueAfterMs], ['recreate', placeMs]);
    const reason =
      'An old pod has not ended 120 seconds after it had to, so the new one starts without waiting for it.';
    const { rollouts, events } = await planned(scene(placeMs));
    assert.deepEqual(rollouts.choices.get('llm'), { strategy: 'inPlace', reason });
    assert.deepEqual(events, [{ type: 'Warning', reason: 'RolloutChanged', message: `Application llm: ${reason}` }]);
    assert.equal(await strategy(scene(placeMs, llm({ modelCache: { size: '1Gi' } }))), 'recreate', 'they share a disk');
    assert.equal(await strategy(scene(placeMs, llm({ replicaCount: 0 }))), 'recreate', 'no new pod is wanted');
  });

  it('does not hide that the pod in its place finds no GPU', async () => {
    const missing = async (lateMs: number): Promise<string | undefined> => {
      const pods = [leaving(lateMs), podOf('llm', undefined, 1, { unschedulableSince: 0 })];
      return (await planned(stuck(lateMs, { spec: llm(), nodes: [nodeWith('b', 0)], pods }))).plans['llm']?.missing;
    };
    assert.equal(await missing(0), undefined);
    assert.match((await missing(placeMs)) ?? '', /^Application llm has no node for 1 pod: no node has 1 free/);
  });

  it('does not keep an application from being prepared for a restart by hand', async () => {
    const idle = (lateMs: number): Scene => ({
      ...stuck(lateMs, { spec: llm(), pods: [podOf('llm', 'a', 1), leaving(lateMs)] }),
      deployment: {},
    });
    const early = await planned(idle(0));
    assert.deepEqual([early.rollouts.choices.get('llm')?.strategy, early.requeueAfterMs], ['surge', placeMs]);
    assert.equal(await strategy(idle(placeMs)), 'recreate');
  });
});
