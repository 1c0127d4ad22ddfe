import assert from 'node:assert/strict';
import { DELETION_POLICY_ANNOTATION } from '../../../../packages/api/constants.ts';
import type { InferenceStack, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { isNotFound } from '../../../../packages/kube/client/api-error.ts';
import { createIngressClass } from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { conditionOf, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const QUOTAS = { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true };

describe('what is no longer wanted', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    await createIngressClass(plane.client, 'nginx', true);
    team = new Team(plane.client, await TestOperator.start(plane.connection));
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  it('goes whatever its author has annotated it with', async () => {
    const ingress = {
      enabled: true,
      hosts: [{ host: 'x.example' }],
      annotations: { [DELETION_POLICY_ANNOTATION]: 'Retain' },
    };
    await team.create('annotated', { gateway: { ingress } });
    const name = 'annotated-inference-stack-gateway';
    assert.equal((await team.owned('Ingress', name)).metadata.ownerReferences?.length, 1);
    await team.change('annotated', { gateway: { ingress: { enabled: false } } });
    await gone('Ingress', name);
  });

  it('goes although what was added at the same time is refused', async () => {
    await plane.client.create(ownedType('ConfigMap'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'blocked-inference-stack-b', namespace: 'team-a' },
    });
    await create('blocked', { applications: { a: { gpu: { count: 8 } } } });
    const refused = await change('blocked', { applications: { a: null, b: {} } });
    assert.match(conditionOf(refused, 'Stalled').message, /ConfigMap team-a\/blocked-inference-stack-b was not made/);
    for (const kind of ['Deployment', 'ConfigMap', 'PodDisruptionBudget'])
      await gone(kind, 'blocked-inference-stack-a');
    assert.equal(conditionOf(refused, 'Pruned').status, 'Missing');
  });

  it('makes room under a quota for what an application is called from now on', async () => {
    const withCache = { modelCache: { size: '1Gi', deletionPolicy: 'Delete' } };
    await create('renamed', { applications: { a: withCache } } as InferenceStackSpec);
    const claims = await plane.client.listAll(ownedType('PersistentVolumeClaim'), { namespace: 'team-a' });
    const hard = { persistentvolumeclaims: String(claims.length) };
    const quota = { namespace: 'team-a', name: 'claims' };
    await plane.client.create(QUOTAS, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: quota, spec: { hard } });
    const used = (amount: string): Promise<unknown> =>
      plane.client.mergePatch(
        QUOTAS,
        quota,
        { status: { hard, used: { persistentvolumeclaims: amount } } },
        { subresource: 'status' },
      );
    // No controller counts here: the test says what it would.
    await used(hard.persistentvolumeclaims);
    const refused = await change('renamed', { applications: { a: null, b: withCache } });
    assert.match(conditionOf(refused, 'Stalled').message, /exceeded quota/);
    for (const kind of ['Deployment', 'PersistentVolumeClaim']) await gone(kind, 'renamed-inference-stack-a');
    await used('0');
    await eventually(() => team.owned('PersistentVolumeClaim', 'renamed-inference-stack-b'));
    await plane.client.delete(QUOTAS, quota);
  });

  it('stays while what is to replace it is refused, and the stack says so', async () => {
    await create('moved', { applications: { a: {} } });
    const metadata = { name: 'elsewhere-a', namespace: 'team-a' };
    await plane.client.create(ownedType('ConfigMap'), { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const refused = await change('moved', { fullnameOverride: 'elsewhere' });
    const { reason, message } = conditionOf(refused, 'Pruned');
    assert.equal(reason, 'ReplacementRefused');
    assert.match(message, /Deployment moved-inference-stack-a\b.* are no longer wanted, and each stays until/);
    await team.owned('Deployment', 'moved-inference-stack-a');
    await gone('Deployment', 'moved-inference-stack-gateway');
    await plane.client.delete(ownedType('ConfigMap'), metadata);
    await gone('Deployment', 'moved-inference-stack-a');
    await eventually(async () => assert.equal(conditionOf(await team.stack('moved'), 'Pruned').status, 'Missing'));
  });

  /** Without waiting until the operator is quiet: what is refused it tries again and again. */
  async function create(name: string, spec: InferenceStackSpec): Promise<void> {
    await plane.client.create(STACKS, newStack('team-a', name, spec));
    await eventually(() => team.owned('PodDisruptionBudget', `${name}-inference-stack-a`));
  }

  /** Changes a stack of which something is refused then. */
  async function change(name: string, spec: Record<string, unknown>): Promise<InferenceStack> {
    const { metadata } = await plane.client.mergePatch(STACKS, { namespace: 'team-a', name }, { spec });
    return eventually(async () => {
      const stack = await team.stack(name);
      assert.equal(stack.status?.observedGeneration, metadata.generation);
      assert.equal(conditionOf(stack, 'Stalled').reason, 'ApplyRefused');
      return stack;
    });
  }

  /** Nothing ends the protection of claims here: what is on its way counts as gone. */
  async function gone(kind: string, name: string): Promise<void> {
    await eventually(async () => {
      const left = await team.owned(kind, name).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });
      assert.ok(left === undefined || left.metadata.deletionTimestamp !== undefined, `${kind} ${name} is there`);
    });
  }
});
