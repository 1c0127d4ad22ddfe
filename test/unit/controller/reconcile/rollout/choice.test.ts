import assert from 'node:assert/strict';
import { DevicesInUse } from '../../../../../controller/src/reconcile/gpu/devices-in-use.ts';
import type { Application } from '../../../../../packages/api/types.ts';
import { devicesOf, nodeWith, podOn, PRODUCT } from '../../../../support/kubernetes/nodes.ts';
import { planned, podOf, strategiesOf, type Scene } from '../../../../support/operator/planning.ts';

const H100 = { labels: { [PRODUCT]: 'H100' } };

function llm(application: Application): { applications: { llm: Application } } {
  return { applications: { llm: { gpu: { count: 1 }, ...application } } };
}

describe('how pods are replaced when something changes', () => {
  it('is the new one first where there is room, else one after the other, or the old one first', async () => {
    const nodes = [nodeWith('a', 4)];
    const chosen = async (replicaCount: number, used: number): Promise<unknown> => {
      const own = Array.from({ length: replicaCount }, () => podOf('llm', 'a', 1));
      const pods = [...own, podOn('a', used - replicaCount)];
      return (await strategiesOf({ spec: llm({ replicaCount }), nodes, pods, recorded: { llm: 'surge' } }))['llm'];
    };
    assert.equal(await chosen(1, 3), 'surge');
    assert.equal(await chosen(2, 4), 'inPlace');
    assert.equal(await chosen(1, 4), 'recreate');
  });

  it('is chosen for open engines as for all others', async () => {
    const nodes = [nodeWith('a', 2)];
    const engine = { engine: 'vllm', model: { name: 'm' } } as const;
    const chosen = async (application: Application, used: number): Promise<unknown> => {
      const pods = [podOf('llm', 'a', 1), podOn('a', used - 1)];
      const spec = { applications: { llm: { ...engine, ...application } } };
      const { plans, rollouts } = await planned({ spec, nodes, pods, recorded: { llm: 'surge' } });
      assert.ok('llm' in plans);
      return rollouts.choices.get('llm')?.strategy;
    };
    assert.equal(await chosen({ gpu: { count: 1 } }, 1), 'surge');
    assert.equal(await chosen({ gpu: { count: 1 } }, 2), 'recreate');
    assert.equal(await chosen({ resources: { limits: { 'nvidia.com/gpu': '1' } } }, 2), 'recreate');
    assert.equal(await chosen({ gpu: { count: 1 }, modelCache: { size: '1Gi' } }, 1), 'recreate');
  });

  it('never counts a spare GPU twice: whoever begins first takes it', async () => {
    const nodes = [nodeWith('n1', 2, H100), nodeWith('n2', 1)];
    const spec = { applications: { any: { gpu: { count: 1 } }, h100: { gpu: { count: 1, product: 'H100' } } } };
    const pods = [podOf('h100', 'n1', 1), podOf('any', 'n2', 1)];
    const recorded = { any: 'surge', h100: 'surge' } as const;
    assert.deepEqual(await strategiesOf({ spec, nodes, pods, recorded }), { any: 'surge', h100: 'recreate' });
    const sizes = { applications: { a: { gpu: { count: 2 } }, b: { gpu: { count: 4 } } } };
    const big = [nodeWith('m1', 8), nodeWith('m2', 8)];
    const placed = [podOf('a', 'm1', 2), podOn('m1', 2), podOf('b', 'm2', 4), podOn('m2', 4)];
    assert.deepEqual(
      await strategiesOf({ spec: sizes, nodes: big, pods: placed, recorded: { a: 'surge', b: 'surge' } }),
      { a: 'surge', b: 'recreate' },
    );
  });

  it('leaves the GPUs of a rollout that is under way to it, also if that is another stack’s', async () => {
    const nodes = [nodeWith('a', 3)];
    const devices = new DevicesInUse();
    const ours = podOf('llm', 'a', 1);
    const theirs = podOf('llm', 'a', 1, { stack: 'team-a/other' });
    for (const after of [ours, theirs]) devices.update({ after });
    const scene = { spec: llm({}), nodes, pods: [ours, theirs], recorded: { llm: 'recreate' }, devices } as const;
    const other = { ...scene, name: 'other' };
    assert.deepEqual(await strategiesOf(other), { llm: 'surge' }, 'the first one finds a GPU');
    assert.deepEqual(await strategiesOf(scene), { llm: 'recreate' }, 'and the second one does not count it');
    // Its new pod has got its node, and the old one has gone.
    const settled = { ...other, recorded: { llm: 'surge' }, isApplied: () => true } as const;
    await strategiesOf(settled);
    assert.deepEqual(await strategiesOf(scene), { llm: 'surge' });
  });

  it('never counts a GPU twice either when stacks are planned in turns', async () => {
    const work = { over: () => new Promise<void>((resolve) => void setImmediate(resolve)) };
    const names = ['first', 'second', 'third'];
    const pods = names.map((name) => podOf('llm', 'a', 1, { stack: `team-a/${name}` }));
    const devices = devicesOf(pods);
    const scene = {
      spec: llm({}),
      nodes: [nodeWith('a', 4)],
      pods,
      recorded: { llm: 'recreate' },
      devices,
      work,
    } as const;
    const chosen = await Promise.all(names.map(async (name) => (await strategiesOf({ ...scene, name }))['llm']));
    assert.deepEqual(chosen.sort(), ['recreate', 'recreate', 'surge']);
  });

  it('is decided anew for each change, and kept while a rollout is under way', async () => {
    const scene = { spec: llm({}), nodes: [nodeWith('a', 1)], pods: [podOf('llm', 'a', 1)] };
    assert.deepEqual(await strategiesOf({ ...scene, recorded: { llm: 'surge' } }), { llm: 'recreate' });
    const rolling = { ...scene, recorded: { llm: 'surge' }, deployment: { updatedReplicas: 0 } } as const;
    assert.deepEqual(await strategiesOf(rolling), { llm: 'surge' });
  });

  it('is as the spec asks, where it does, and its GPUs count all the same', async () => {
    const spec = {
      applications: { always: { rollout: 'surge', gpu: { count: 1 } }, auto: { gpu: { count: 1 } } },
    } as const;
    const pods = [podOf('always', 'a', 1), podOf('auto', 'a', 1)];
    const recorded = { always: 'surge', auto: 'surge' } as const;
    assert.deepEqual(await strategiesOf({ spec, nodes: [nodeWith('a', 3)], pods, recorded }), { auto: 'recreate' });
  });
});

describe('a volume that an old and a new pod cannot share', () => {
  const nodes = [nodeWith('a', 8)];
  const pods = [podOf('llm', 'a', 1)];
  const recorded = { llm: 'surge' } as const;
  const claim = { modelsVolume: { persistentVolumeClaim: { claimName: 'models' } } };

  async function choice(application: Application, claims: Scene['claims'] = {}): Promise<string> {
    const { rollouts } = await planned({ spec: llm(application), nodes, pods, recorded, claims });
    const { strategy = '', reason = '' } = rollouts.choices.get('llm') ?? {};
    return `${strategy}: ${reason}`;
  }

  it('has the old pod end first, whether it is the operator’s, a claim of the user’s or a disk', async () => {
    const end = ', so a change ends the old pod before the new one starts.';
    assert.equal(await choice({ modelCache: { size: '1Gi' } }), `recreate: The model cache is ReadWriteOnce${end}`);
    assert.equal(
      await choice(claim, { models: ['ReadWriteOnce'] }),
      `recreate: The claim models is ReadWriteOnce${end}`,
    );
    const volumes = [{ name: 'other', persistentVolumeClaim: { claimName: 'other' } }];
    const both = { models: ['ReadWriteMany'], other: ['ReadWriteOncePod'] };
    assert.equal(await choice({ ...claim, volumes }, both), `recreate: The claim other is ReadWriteOncePod${end}`);
    const disk = { modelsVolume: { awsElasticBlockStore: { volumeID: 'vol-1' } } };
    assert.match(
      await choice(disk),
      /^recreate: A disk \(awsElasticBlockStore\) is attached to one node at a time, so/,
    );
  });

  it('is presumed where nobody knows the claim', async () => {
    const unreadable = { models: undefined };
    assert.match(
      await choice(claim, unreadable),
      /^recreate: It is not known whether two pods can mount the claim models, so/,
    );
  });

  it('is none that several nodes can mount, or that each pod has of its own', async () => {
    assert.match(await choice(claim, { models: ['ReadWriteOnce', 'ReadOnlyMany'] }), /^surge: /);
    assert.match(await choice({ modelCache: { size: '1Gi', accessMode: 'ReadWriteMany' } }), /^surge: /);
    assert.match(await choice({ modelsVolume: { ephemeral: { volumeClaimTemplate: {} } } }), /^surge: /);
    assert.match(await choice({ modelsVolume: { gcePersistentDisk: { pdName: 'x', readOnly: true } } }), /^surge: /);
  });
});
