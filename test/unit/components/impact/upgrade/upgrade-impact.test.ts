import assert from 'node:assert/strict';
import { isolation, LIMITS } from '../../../../../components/impact/contained/containment.ts';
import { describeGaps, describeImpact } from '../../../../../components/impact/upgrade/describe-impact.ts';
import { readLiveObjects } from '../../../../../components/impact/upgrade/live-objects.ts';
import { readCapabilities } from '../../../../../components/impact/upgrade/question.ts';
import { upgradeImpact, type UpgradeImpact } from '../../../../../components/impact/upgrade/upgrade-impact.ts';
import type { InferenceStack, InferenceStackSpec } from '../../../../../packages/api/types.ts';
import type { KubernetesObject } from '../../../../../packages/kube/object.ts';
import { CHANGES, packedOperator, type SourceChange } from '../../../../support/operator/changed-operator.ts';
import { clusterWith, served } from '../../../../support/operator/impact-cluster.ts';
import { stackWith } from '../../../../support/people/stacks.ts';

const VLLM: InferenceStackSpec = { applications: { llama: { engine: 'vllm', model: { name: 'org/llama' } } } };
/** The gaps of an impact that do not depend on the machine of the test. */
function gapsOf(impact: UpgradeImpact): readonly string[] {
  return describeGaps({ ...impact, keptOut: ['network', 'files'] });
}

const TAKEOFF: InferenceStackSpec = { applications: { primary: { readerConfig: { modelName: 'org/model' } } } };

describe('the impact of an upgrade', function () {
  this.timeout(60_000);

  const sources = new Map<SourceChange | undefined, Promise<string>>();

  /** Asks this checkout, with a change, about what a cluster has. */
  async function impactOf(
    objects: readonly KubernetesObject[],
    change?: SourceChange,
    { version = '1.3.0', forbidden = [] as readonly string[] } = {},
  ): Promise<UpgradeImpact> {
    const source = sources.get(change) ?? packedOperator(change);
    sources.set(change, source);
    const client = clusterWith(objects, forbidden);
    const cluster = { client, objects: await readLiveObjects(client), capabilities: await readCapabilities(client) };
    const asked = { name: `operator ${version}`, version, source: await source };
    return upgradeImpact(cluster, { major: 1, from: '1.2.0', version: asked }, { ...LIMITS, seconds: 30 });
  }

  const fleet = (): KubernetesObject[] => [
    ...served(stackWith(VLLM), 2),
    ...served(stackWith(TAKEOFF, 'old')),
    ...served(stackWith(VLLM, 'empty'), 0),
    ...served({
      ...stackWith(VLLM, 'other'),
      metadata: { name: 'other', namespace: 'team-a', labels: { operatorVersion: 'v2' } },
    }),
  ];

  it('is none where the code is the same', async () => {
    const impact = await impactOf(fleet());
    assert.deepEqual(impact.affected, []);
    assert.equal(
      describeImpact(impact),
      '3 InferenceStacks: 3 unchanged, 0 change without a restart, 0 replace pods, 0 refused',
    );
    assert.deepEqual(gapsOf(impact), []);
  });

  it('names the pods that it replaces, and why', async () => {
    const impact = await impactOf(fleet(), CHANGES.argument);
    assert.equal(
      describeImpact(impact),
      '3 InferenceStacks: 1 unchanged, 1 changes without a restart, 1 replaces pods (team-a/chat: llama, because its arguments change), 0 refused; 2 pods are replaced',
    );
  });

  for (const [change, because] of [
    ['probe', 'its probes change'],
    ['gatewayEnv', 'its environment changes'],
  ] as const) {
    it(`says that ${because}`, async () => {
      const replaced = (await impactOf(fleet(), CHANGES[change])).affected.flatMap((each) =>
        each.kind === 'replaced' ? each.pods : [],
      );
      assert.ok(replaced.length > 0);
      for (const pods of replaced) assert.equal(pods.because, because);
    });
  }

  for (const change of ['label', 'writtenDefault'] as const) {
    it(`replaces no pods where only the ${change} of objects is another`, async () => {
      const { affected, pods } = await impactOf(fleet(), CHANGES[change]);
      assert.deepEqual(
        { kinds: affected.map(({ kind }) => kind), pods },
        { kinds: ['changed', 'changed', 'changed'], pods: 0 },
      );
    });
  }

  it('names what the new version refuses, apart from what is refused already', async () => {
    const refused = { conditions: [{ type: 'Accepted', status: 'False' }] } as unknown as NonNullable<
      InferenceStack['status']
    >;
    const objects = [...served(stackWith(VLLM)), ...served({ ...stackWith(VLLM, 'wrong'), status: refused })];
    const stricter = {
      file: 'packages/render/render.ts',
      from: 'export function render(',
      to: `export function render(...given: Parameters<typeof rendered>): RenderResult { throw new Error('too late for ' + given[0].metadata.name); }\nfunction rendered(`,
    };
    const impact = await impactOf(objects, stricter);
    assert.equal(
      describeImpact(impact),
      '2 InferenceStacks: 0 unchanged, 0 change without a restart, 0 replace pods, 1 refused (team-a/chat: cannot be rendered: too late for chat), 1 refused already',
    );
  });

  it('refuses stacks that ask for more than a rollback has', async () => {
    const stack = {
      ...stackWith(VLLM),
      metadata: { name: 'chat', namespace: 'team-a', labels: { operatorVersion: '1.2' } },
    };
    const impact = await impactOf(served(stack), undefined, { version: '1.1.0' });
    assert.match(describeImpact(impact), /1 refused \(team-a\/chat: .*asks for operator 1\.2\.0 or newer/);
  });

  it('names pods that would end, since nothing makes them any longer', async () => {
    const without: SourceChange = {
      file: 'packages/render/render.ts',
      from: 'export function render(',
      to: `export function render(...given: Parameters<typeof rendered>): RenderResult { const result = rendered(...given); return { ...result, objects: result.objects.filter((object) => !object.metadata.name.endsWith('llama')) }; }\nfunction rendered(`,
    };
    const impact = await impactOf(served(stackWith(VLLM)), without);
    assert.match(describeImpact(impact), /team-a\/chat: chat-inference-stack-llama, because it is no longer made\)/);
  });

  it('says what the kernel of this machine does not keep out', async () => {
    const impact = await impactOf(fleet());
    assert.deepEqual(impact.keptOut, (await isolation()).keepsOut);
    assert.deepEqual(gapsOf(impact), []);
    assert.deepEqual(describeGaps({ ...impact, keptOut: ['network'] }), [
      "The kernel did not keep the files and local sockets of this machine from this version's code: only Node did, which is no security boundary.",
    ]);
    assert.deepEqual(describeGaps({ ...impact, keptOut: [] }), [
      "The kernel did not keep the network, files and local sockets of this machine from this version's code: only Node did, which is no security boundary.",
    ]);
  });

  it('counts what may not be read, and stacks that are about to change anyway', async () => {
    const impact = await impactOf(fleet(), CHANGES.argument, { forbidden: ['ConfigMap', 'ModelOrchestra'] });
    assert.deepEqual(gapsOf(impact), [
      'You may not list ConfigMap, ModelOrchestra in all namespaces, so nothing is known of them.',
    ]);
    const [stack, ...rest] = served(stackWith(VLLM));
    assert.ok(stack !== undefined);
    stack.metadata.generation = 2;
    assert.deepEqual(gapsOf(await impactOf([stack, ...rest], CHANGES.argument)), [
      'In 1 of them, part of it is what their authors have just written.',
    ]);
  });
});
