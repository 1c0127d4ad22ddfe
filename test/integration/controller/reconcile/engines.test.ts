import assert from 'node:assert/strict';
import { OPERATOR_DEFAULTS } from '../../../../packages/api/defaults.ts';
import { isNotFound } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { objectsAt } from '../../../../packages/lib/json.ts';
import type { EngineFacts } from '../../../../packages/render/engines/table.ts';
import { ENGINE_TABLES } from '../../../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS, type OnwardsFacts } from '../../../../packages/render/onwards/table.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const LLAMA = { engine: 'llamacpp', model: { path: 'tiny.gguf' } } as const;
const OLD_RUNTIME = OPERATOR_DEFAULTS.runtimeVersion;
const KEPT = { runtimeVersion: OLD_RUNTIME, gateway: 'onwards', revisions: { llamacpp: 1, onwards: 1 } } as const;
const NEWER = { repository: 'example.com/newer', tag: '2' };

describe('a stack of open engines', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;
  let pods = 0;

  before(async () => {
    plane = await startPlane();
    team = new Team(plane.client, await TestOperator.start(plane.connection));
  });
  after(async () => {
    forgetNewer();
    await team.operator.stop();
    await plane.stop();
  });

  it('is made of engines behind one gateway that knows them, and reached in no other way', async () => {
    const stack = await team.create('open', { applications: { llm: LLAMA } });
    assert.equal(conditionOf(stack, 'Stalled').message, 'Nothing stands in the way.');
    const { defaults, inventory, applications } = stack.status ?? {};
    assert.deepEqual(defaults, KEPT);
    assert.ok(applications?.['llm'] !== undefined && !('configHash' in applications['llm']));
    const made = inventory?.map(({ kind, name }) => `${kind} ${name.replace('open-inference-stack-', '')}`);
    for (const object of ['Deployment llm', 'Service llm', 'Deployment gateway', 'NetworkPolicy gateway']) {
      assert.ok(made?.includes(object), `${object} is not among ${String(made)}`);
    }
    assert.ok(!made?.includes('ConfigMap llm'));
    const [provider] = Object.values(await targets('open')).flatMap(({ providers }) => providers);
    assert.match(provider?.url ?? '', /^http:\/\/open-inference-stack-llm\/#/);
    const policy = await team.owned('NetworkPolicy', 'open-inference-stack-gateway');
    assert.equal(policy.metadata.ownerReferences?.[0]?.uid, stack.metadata.uid);
  });

  it('is left alone when nothing differs', async () => {
    await restart('1.0.0');
    await team.operator.quiet(1000);
    assert.equal(await team.operator.writes(), 0);
  });

  it('gets other routes without another pod', async () => {
    const both = { aliases: ['chat'] };
    await team.change('open', { applications: { llm: both, other: { ...LLAMA, ...both, weight: 3 } } });
    const before = await generations('open');
    const share = async (name: string): Promise<number> =>
      (await targets('open'))['chat']?.providers.filter(({ url }) => url.includes(`-${name}/`)).length ?? 0;
    assert.deepEqual([await share('llm'), await share('other')], [1, 3]);
    const stack = await team.change('open', { applications: { llm: { weight: 2 }, other: { weight: 0 } } });
    assert.deepEqual([await share('llm'), await share('other')], [1, 0]);
    assert.deepEqual(await generations('open'), before);
    assert.equal(conditionOf(stack, 'Stalled').status, 'False');
    await team.change('open', { applications: { other: null } });
    await assert.rejects(team.owned('Service', 'open-inference-stack-other'), isNotFound);
  });

  it('repairs a NetworkPolicy that somebody has opened or removed', async () => {
    const ref = { namespace: 'team-a', name: 'open-inference-stack-gateway' };
    const type = ownedType('NetworkPolicy');
    const { spec } = (await plane.client.get(type, ref)) as KubernetesObject & { spec: unknown };
    await plane.client.mergePatch(type, ref, { spec: { ingress: [{}] } });
    await eventually(async () => assert.deepEqual((await plane.client.get(type, ref))['spec'], spec));
    await plane.client.delete(type, ref);
    await eventually(async () => assert.deepEqual((await plane.client.get(type, ref))['spec'], spec));
    await team.operator.quiet();
  });

  it('keeps its revisions and its runtime through an upgrade, while new stacks get the newest', async () => {
    await team.create('before', { applications: { llm: {} } });
    const templates = [await deployed('open'), await deployed('before')];
    await team.operator.stop();
    rememberNewer();
    await restart('1.1.0');
    for (const name of ['open', 'before']) {
      await eventually(async () => assert.equal((await team.stack(name)).status?.operatorVersion, '1.1.0'));
      await team.settled(name);
    }
    assert.deepEqual([await deployed('open'), await deployed('before')], templates);
    const { status } = await team.create('later', { applications: { llm: LLAMA } });
    const revisions = { llamacpp: 2, onwards: 2 };
    assert.deepEqual(status?.defaults, { runtimeVersion: 'newer', gateway: 'onwards', revisions });
    for (const image of await images('later')) assert.equal(image, 'example.com/newer:2');
  });

  for (const [title, forget] of [
    ['when its status is lost', loseStatus],
    ['when it comes back from a backup, without status and under another uid', restore],
  ] as const) {
    it(`keeps them ${title}`, async () => {
      const templates = [await deployed('open'), await deployed('before')];
      await team.operator.stop();
      for (const name of ['open', 'before']) await forget(name);
      await restart('1.1.0');
      const [open, before] = [await team.settled('open'), await team.settled('before')];
      assert.deepEqual(open.status?.defaults, KEPT);
      assert.deepEqual(before.status?.defaults, { runtimeVersion: OLD_RUNTIME, gateway: 'takeoff' });
      assert.deepEqual([await deployed('open'), await deployed('before')], templates);
      const { metadata } = await team.owned('Deployment', 'open-inference-stack-llm');
      assert.equal(metadata.ownerReferences?.[0]?.uid, open.metadata.uid);
    });
  }

  it('follows the operator as soon as it asks to', async () => {
    await team.change('open', { applicationTemplate: { engineRevision: 'operator' } });
    assert.deepEqual((await images('open'))[1], 'example.com/newer:2');
    assert.deepEqual((await team.stack('open')).status?.defaults, KEPT);
  });

  it('is refused where a gateway of another kind runs, until it asks for its own', async () => {
    const before = await deployed('before');
    const refused = await team.change('before', { applications: { llm: LLAMA } });
    const { status, reason, message } = conditionOf(refused, 'Accepted');
    assert.deepEqual([status, reason], ['False', 'UnsuitedGateway']);
    assert.match(message, /^spec\.gateway\.kind: .*does not suit llm \(got "takeoff"\)\. Set gateway\.kind: onwards,/);
    assert.deepEqual(await deployed('before'), before);
    assert.equal(refused.status?.defaults?.gateway, 'takeoff');
    const accepted = await team.change('before', { gateway: { kind: 'onwards' } });
    assert.equal(conditionOf(accepted, 'Stalled').message, 'Nothing stands in the way.');
    const revisions = { llamacpp: 2, onwards: 2 };
    assert.deepEqual(accepted.status?.defaults, { runtimeVersion: OLD_RUNTIME, gateway: 'onwards', revisions });
    assert.deepEqual(Object.keys(await targets('before')).sort(), ['llm']);
    await team.owned('NetworkPolicy', 'before-inference-stack-gateway');
    const config = await team.owned('ConfigMap', 'before-inference-stack-gateway');
    assert.deepEqual(Object.keys(config['data'] as object), ['routes.json']);
    await assert.rejects(team.owned('ConfigMap', 'before-inference-stack-llm'), isNotFound);
  });

  it('stays with its gateway when the spec no longer names it', async () => {
    await team.change('before', { gateway: { kind: null }, applications: { llm: null } });
    const { status } = await team.stack('before');
    assert.equal(status?.defaults?.gateway, 'onwards');
    assert.equal(conditionOf(await team.change('before', { applications: { llm: {} } }), 'Accepted').status, 'False');
  });

  async function restart(version: string): Promise<void> {
    await team.operator.stop();
    pods += 1;
    team.operator = await TestOperator.start(plane.connection, { version, pod: `pod-${String(pods)}` });
    await eventually(() => assert.deepEqual(team.operator.running.ready(), {}));
  }

  async function loseStatus(name: string): Promise<void> {
    const ref = { namespace: 'team-a', name };
    await plane.client.mergePatch(STACKS, ref, { status: null }, { subresource: 'status' });
    assert.equal((await team.stack(name)).status, undefined);
  }

  /** As programs for backups do it: objects come back without what only a running cluster knows. */
  async function restore(name: string): Promise<void> {
    const { spec, status } = await team.stack(name);
    for (const { kind, name: object } of status?.inventory ?? []) {
      const ref = { namespace: 'team-a', name: object };
      await plane.client.mergePatch(ownedType(kind), ref, { metadata: { ownerReferences: null } });
    }
    await plane.client.delete(STACKS, { namespace: 'team-a', name });
    await plane.client.create(STACKS, newStack('team-a', name, spec));
  }

  /** What the Deployments of the gateway and of `llm` make their pods from. */
  async function deployed(stack: string): Promise<unknown[]> {
    return Promise.all(
      ['gateway', 'llm'].map(
        async (name) => (await team.owned('Deployment', `${stack}-inference-stack-${name}`))['spec'],
      ),
    );
  }

  async function images(stack: string): Promise<unknown[]> {
    return (await deployed(stack)).map((spec) => objectsAt(spec, 'template', 'spec', 'containers')[0]?.['image']);
  }

  async function generations(stack: string): Promise<unknown[]> {
    const found = ['gateway', 'llm', 'other'].map((name) =>
      team.owned('Deployment', `${stack}-inference-stack-${name}`),
    );
    return (await Promise.all(found)).map(({ metadata }) => metadata.generation);
  }

  async function targets(stack: string): Promise<Record<string, { providers: { url: string }[] }>> {
    const { data } = (await team.owned('ConfigMap', `${stack}-inference-stack-gateway`)) as KubernetesObject & {
      data: Record<string, string>;
    };
    return (JSON.parse(data['routes.json'] ?? '{}') as { targets: Record<string, { providers: { url: string }[] }> })
      .targets;
  }
});

const LLAMA_REVISIONS = ENGINE_TABLES.llamacpp.revisions as unknown as EngineFacts[];
const GATEWAY_REVISIONS = ONWARDS_REVISIONS as unknown as OnwardsFacts[];

/** Lets operators of this process know newer revisions and a newer runtime, as those of a later release do. */
function rememberNewer(): void {
  for (const revisions of [LLAMA_REVISIONS, GATEWAY_REVISIONS] as { image?: unknown }[][]) {
    revisions.push({ ...revisions[0], image: NEWER });
  }
  OPERATOR_DEFAULTS.runtimeVersion = 'newer';
}

function forgetNewer(): void {
  LLAMA_REVISIONS.length = 1;
  GATEWAY_REVISIONS.length = 1;
  OPERATOR_DEFAULTS.runtimeVersion = OLD_RUNTIME;
}
