import assert from 'node:assert/strict';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { KubernetesObject, ResourceType } from '../../../../packages/kube/object.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { FaultyProxy } from '../../../support/kubernetes/faulty-proxy.ts';
import { minimalCrd } from '../../../support/kubernetes/minimal-crd.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { grantOperatorRights } from '../../../support/operator/operator-rights.ts';
import { installCrd, newStack, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { at } from '../../../support/people/stacks.ts';
import { Team } from '../../../support/people/team.ts';

const GROUP = 'security.openshift.io';
const CONSTRAINTS: ResourceType = {
  group: GROUP,
  version: 'v1',
  kind: 'SecurityContextConstraints',
  plural: 'securitycontextconstraints',
  namespaced: false,
};
const OPEN: InferenceStackSpec = {
  applications: { chat: { engine: 'llamacpp', model: { path: 'chat.gguf' }, modelCache: { size: '1Gi' } } },
};

describe('a platform that assigns user ids', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let proxy: FaultyProxy;
  let team: Team;
  let discovery: { asked: number; readonly answer: 'pass' | { status: number } };

  /** Lets discovery of the group fail, or work, from now on. */
  function discover(answer: typeof discovery.answer): void {
    discovery = { asked: 0, answer };
  }

  async function start(pod: string): Promise<TestOperator> {
    return TestOperator.start(proxy.connection, { pod, platformRetryMs: 100 });
  }

  function podSecurity(deployment: KubernetesObject): unknown {
    return at(deployment, 'spec.template.spec.securityContext');
  }

  before(async () => {
    plane = await startPlane();
    proxy = await FaultyProxy.start(plane.connection);
    proxy.inject(({ url }) => {
      if (!url.startsWith(`/apis/${GROUP}`)) return 'pass';
      discovery.asked += 1;
      return discovery.answer;
    });
    discover('pass');
    team = new Team(plane.client, await start('before'));
  });
  after(async () => {
    await team.operator.stop();
    await proxy.stop();
    await plane.stop();
  });

  it('is told from others: elsewhere pods get the ids that are our defaults', async () => {
    await team.create('open', OPEN);
    for (const [component, fsGroup] of [['chat', 1000] as const, ['gateway', undefined] as const]) {
      const security = podSecurity(await team.owned('Deployment', `open-inference-stack-${component}`));
      assert.equal(at(security, 'runAsUser'), 10_001);
      assert.equal(at(security, 'runAsGroup'), 10_001);
      assert.equal(at(security, 'fsGroup'), fsGroup);
    }
  });

  it('takes the default ids from pods as soon as it is known', async () => {
    await installCrd(plane.client, minimalCrd(CONSTRAINTS));
    const hardened = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
    await eventually(async () => {
      const chat = await team.owned('Deployment', 'open-inference-stack-chat');
      assert.deepEqual(podSecurity(chat), { ...hardened, fsGroupChangePolicy: 'OnRootMismatch' });
      const gateway = await team.owned('Deployment', 'open-inference-stack-gateway');
      assert.deepEqual(podSecurity(gateway), hardened);
    });
    await team.operator.quiet();
  });

  it('changes nothing while discovery fails: an operator that starts leaves what runs, and lets a new stack wait', async () => {
    const before = await team.owned('Deployment', 'open-inference-stack-chat');
    await team.operator.stop();
    discover({ status: 503 });
    team.operator = await start('unknowing');
    await plane.client.create(STACKS, newStack('team-a', 'new', OPEN));
    await eventually(() => {
      assert.ok(discovery.asked >= 3);
      assert.deepEqual(team.operator.running.ready(), { sync: `not known yet: ${GROUP}` });
    });
    assert.equal((await team.stack('new')).status, undefined);
    const after = await team.owned('Deployment', 'open-inference-stack-chat');
    assert.equal(after.metadata.generation, before.metadata.generation);

    discover('pass');
    await team.settled('new');
    assert.equal(at(podSecurity(await team.owned('Deployment', 'new-inference-stack-chat')), 'runAsUser'), undefined);
    const known = await team.owned('Deployment', 'open-inference-stack-chat');
    assert.equal(known.metadata.generation, before.metadata.generation);
  });

  it('is asked for with the rights of the bundle', async () => {
    await team.operator.stop();
    await grantOperatorRights(plane.client, 'the-operator');
    team.operator = await TestOperator.start(await plane.connectionFor('the-operator'), { pod: 'restricted' });
    await eventually(() => assert.deepEqual(team.operator.running.ready(), {}));
    await team.create('restricted', OPEN);
    const chat = await team.owned('Deployment', 'restricted-inference-stack-chat');
    assert.equal(at(podSecurity(chat), 'runAsUser'), undefined);
  });
});
