import assert from 'node:assert/strict';
import { deploymentView } from '../../../../../packages/kube/pods/deployment-view.ts';
import { DEFAULT_PATIENCE } from '../../../../../controller/src/reconcile/rollout/patience.ts';
import { nodeWith, podOn } from '../../../../support/kubernetes/nodes.ts';
import { planned, podOf, type Scene } from '../../../../support/operator/planning.ts';

const { placeMs, roomMs } = DEFAULT_PATIENCE;

/** A rollout that began with the new pod, which has found no node since the beginning of time. */
function stuck(more: Partial<Scene> = {}): Scene {
  return {
    spec: { applications: { llm: { gpu: { count: 1 } } } },
    nodes: [nodeWith('a', 1)],
    pods: [podOf('llm', 'a', 1), podOf('llm', undefined, 1, { unschedulableSince: 0 })],
    recorded: { llm: 'surge' },
    deployment: { totalReplicas: 2 },
    isApplied: () => true,
    now: placeMs,
    ...more,
  };
}

async function strategy(scene: Scene): Promise<string | undefined> {
  return (await planned(scene)).rollouts.choices.get('llm')?.strategy;
}

describe('a rollout whose new pod finds no node', () => {
  it('goes on in another way after a while, and the stack says so', async () => {
    const { rollouts, events } = await planned(stuck());
    const reason = 'A new pod found no node for 120 seconds beside the old ones, so the old pods end before it starts.';
    assert.deepEqual(rollouts.choices.get('llm'), { strategy: 'recreate', reason });
    assert.deepEqual(events, [{ type: 'Warning', reason: 'RolloutChanged', message: `Application llm: ${reason}` }]);
  });

  it('waits until then, and is looked at again in time', async () => {
    const { rollouts, requeueAfterMs } = await planned(stuck({ now: placeMs - 1000 }));
    assert.equal(rollouts.choices.get('llm')?.strategy, 'surge');
    assert.equal(requeueAfterMs, 1000);
  });

  it('waits for pods that are about to go anyway', async () => {
    const going = podOf('llm', 'a', 1, { leaving: true });
    const waiting = podOf('llm', undefined, 1, { unschedulableSince: 0 });
    const scene = stuck({ nodes: [nodeWith('a', 2)], pods: [podOf('llm', 'a', 1), going, waiting] });
    assert.equal(await strategy(scene), 'surge');
  });

  it('ends one old pod after the other where there are several', async () => {
    const waiting = podOf('llm', undefined, 1, { unschedulableSince: 0 });
    const spec = { applications: { llm: { replicaCount: 2, gpu: { count: 1 } } } };
    const pods = [podOf('llm', 'a', 1), podOf('llm', 'a', 1), waiting];
    const deployment = { totalReplicas: 3, updatedReplicas: 1 };
    assert.equal(await strategy(stuck({ spec, nodes: [nodeWith('a', 2)], pods, deployment })), 'inPlace');
    const larger = { applications: { llm: { replicaCount: 2, gpu: { count: 2 } } } };
    const more = [podOf('llm', 'a', 1), podOf('llm', 'a', 1), { ...waiting, devices: { 'nvidia.com/gpu': 2 } }];
    const scene = stuck({ spec: larger, nodes: [nodeWith('a', 2)], pods: more, deployment });
    assert.equal(await strategy(scene), 'recreate', 'one pod alone would not make room enough');
  });

  it('ends nothing for a pod that waits for something else than room', async () => {
    const waiting = podOf('llm', undefined, 1, { unschedulableSince: 0, waitsForRoom: false });
    assert.equal(await strategy(stuck({ pods: [podOf('llm', 'a', 1), waiting] })), 'surge');
  });

  it('ends nothing for a device that the old pod does not have either', async () => {
    const devices = { 'nvidia.com/gpu': 1, 'rdma/hca': 1 };
    const waiting = podOf('llm', undefined, 1, { unschedulableSince: 0, devices });
    assert.equal(await strategy(stuck({ pods: [podOf('llm', 'a', 1), waiting] })), 'surge');
  });

  it('leaves the old pods where the new one would not fit without them either', async () => {
    const other = {
      pods: [podOf('llm', 'b', 1), podOf('llm', undefined, 1, { unschedulableSince: 0 }), podOn('a', 1)],
    };
    const nodes = [nodeWith('a', 1), nodeWith('b', 1, { cordoned: true })];
    assert.equal(await strategy(stuck({ nodes, ...other })), 'surge');
    const hungry = podOf('llm', undefined, 1, { unschedulableSince: 0, requests: { cpu: 8 } });
    const pods = (cpu: number): NonNullable<Scene['pods']> => [podOf('llm', 'a', 1, { requests: { cpu } }), hungry];
    assert.equal(await strategy(stuck({ pods: pods(4) })), 'surge', 'it asks for more than the old one has');
    assert.equal(await strategy(stuck({ pods: pods(8) })), 'recreate');
  });

  it('goes on as it began where the spec asks for that way, or no old pod is left', async () => {
    const spec = { applications: { llm: { rollout: 'surge', gpu: { count: 1 } } } } as const;
    assert.equal(await strategy(stuck({ spec })), undefined);
    assert.equal(
      await strategy(stuck({ deployment: { totalReplicas: 1, updatedReplicas: 1, observed: false } })),
      'surge',
    );
  });
});

describe('an application that does not change', () => {
  const idle = (gpus: number, more: Partial<Scene> = {}): Scene => ({
    spec: { applications: { llm: { gpu: { count: 1 } } } },
    nodes: [nodeWith('a', gpus)],
    pods: [podOf('llm', 'a', 1)],
    isApplied: () => true,
    ...more,
  });

  it('is prepared at once for a restart by hand when the room for a second pod has gone', async () => {
    const { rollouts } = await planned(idle(1, { recorded: { llm: 'surge' } }));
    assert.equal(rollouts.choices.get('llm')?.strategy, 'recreate');
    assert.deepEqual([...rollouts.refreshed], ['llm']);
  });

  it('is not prepared for less room while old pods of its last rollout are still leaving', async () => {
    const pods = [podOf('llm', 'a', 1), podOf('llm', 'a', 1, { leaving: true })];
    const { rollouts } = await planned(idle(2, { pods, recorded: { llm: 'surge' } }));
    assert.equal(rollouts.choices.get('llm')?.strategy, 'surge');
  });

  it('is prepared for a second pod only when the room has lasted', async () => {
    const roomSince: Scene['roomSince'] = new Map();
    const recorded = { llm: 'recreate' } as const;
    const first = await planned(idle(2, { recorded, roomSince, now: 1000 }));
    assert.equal(first.rollouts.choices.get('llm')?.strategy, 'recreate');
    assert.equal(first.requeueAfterMs, roomMs);
    await planned(idle(2, { recorded, roomSince, now: 2000 }));
    const later = await planned(idle(2, { recorded, roomSince, now: 1000 + roomMs }));
    assert.equal(later.rollouts.choices.get('llm')?.strategy, 'surge');
  });

  it('begins to wait anew when the room was gone in between', async () => {
    const roomSince: Scene['roomSince'] = new Map();
    const recorded = { llm: 'recreate' } as const;
    await planned(idle(2, { recorded, roomSince, now: 0 }));
    await planned(idle(1, { recorded, roomSince, now: 1000 }));
    const again = await planned(idle(2, { recorded, roomSince, now: roomMs }));
    assert.equal(again.rollouts.choices.get('llm')?.strategy, 'recreate');
  });

  it('is left as it is while nothing of it runs', async () => {
    assert.equal(await strategy(idle(0, { recorded: { llm: 'surge' }, pods: [] })), 'surge');
  });
});

describe('a rollout whose new pod a quota refuses', () => {
  const message =
    'pods "x" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=1, used: 1, limited: 1';

  function refused(lastTransitionTime: string): Scene {
    const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message, lastTransitionTime };
    const counts = { replicas: 1, readyReplicas: 1, availableReplicas: 1, updatedReplicas: 0 };
    const deployment = deploymentView({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x', generation: 2 },
      spec: { replicas: 1 },
      status: { observedGeneration: 2, ...counts, conditions: [failure] },
    });
    assert.ok(deployment !== undefined);
    // The node has a second GPU, and the namespace may have one.
    return stuck({ nodes: [nodeWith('a', 2)], pods: [podOf('llm', 'a', 1)], deployment });
  }

  it('goes on in another way after a while, although there is no pod that waits', async () => {
    const { rollouts } = await planned(refused('1970-01-01T00:00:00Z'));
    assert.equal(
      rollouts.choices.get('llm')?.reason,
      'A new pod was refused by a quota for 120 seconds beside the old ones, so the old pods end before it starts.',
    );
    assert.deepEqual(rollouts.slots, []);
  });

  it('waits until then, and is looked at again in time', async () => {
    const { rollouts, requeueAfterMs } = await planned(refused('1970-01-01T00:00:01Z'));
    assert.equal(rollouts.choices.get('llm')?.strategy, 'surge');
    assert.equal(requeueAfterMs, 1000);
    assert.deepEqual([...rollouts.rescueDue], ['llm']);
  });

  it('stays as it is where the new pod asks for more than the old one had', async () => {
    const scene = refused('1970-01-01T00:00:00Z');
    assert.equal(await strategy({ ...scene, spec: { applications: { llm: { gpu: { count: 2 } } } } }), 'surge');
  });
});
