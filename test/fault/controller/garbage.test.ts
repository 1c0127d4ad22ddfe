import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { InferenceStack } from '../../../packages/api/types.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import type { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { TestOperator } from '../../support/operator/operator.ts';
import { conditionOf, getStack, newStack, ownedType, stackCrd, STACKS } from '../../support/operator/stack-api.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';

const GARBAGE = 1000;

/** Any JSON value, now and then below a name that the API knows. */
function anySpec(): fc.Arbitrary<unknown> {
  const name = fc.constantFrom('gateway', 'applications', 'applicationTemplate', 'serviceAccount', 'nameOverride');
  const field = fc.constantFrom(
    'env',
    'gpu',
    'scaling',
    'resources',
    'readerConfig',
    'modelCache',
    'image',
    '__proto__',
  );
  const value = fc.jsonValue({ maxDepth: 1 });
  const application = fc.dictionary(field, value, { maxKeys: 3 });
  return fc.dictionary(name, fc.oneof(value, application, fc.dictionary(fc.string(), application, { maxKeys: 2 })), {
    minKeys: 1,
    maxKeys: 3,
  });
}

/** The project's CRD with a schema that accepts anything, as one from long ago may have been. */
async function openCrd(): Promise<KubernetesObject> {
  const crd = (await stackCrd()) as KubernetesObject & { spec: { versions: { schema: object }[] } };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const properties = { spec: { 'x-kubernetes-preserve-unknown-fields': true }, status: open };
  for (const version of crd.spec.versions) version.schema = { openAPIV3Schema: { type: 'object', properties } };
  return crd;
}

describe('an operator that is fed garbage', function () {
  this.timeout(180_000);
  let plane: ControlPlane;
  let operator: TestOperator;

  before(async () => {
    plane = await startPlane([1], await openCrd());
    operator = await TestOperator.start(plane.connection);
  });
  after(async () => {
    await operator.stop();
    await plane.stop();
  });

  it(`answers ${GARBAGE} invalid specs with a condition each, and serves a good stack among them in time`, async () => {
    const specs = fc.sample(anySpec(), { numRuns: GARBAGE, seed: 20261116 });
    const create = async (spec: unknown, index: number): Promise<void> => {
      await plane.client.create(STACKS, newStack('team-a', `bad-${index}`, spec as object));
    };
    const half = GARBAGE / 2;
    await Promise.all(specs.slice(0, half).map(create));
    await plane.client.create(STACKS, newStack('team-a', 'good', { applications: { chat: {} } }));
    await Promise.all(specs.slice(half).map((spec, index) => create(spec, half + index)));
    const ref = { namespace: 'team-a', name: 'good-inference-stack-chat' };
    await eventually(() => plane.client.get(ownedType('Deployment'), ref), 60_000);
    await eventually(async () => {
      const stacks = await plane.client.listAll(STACKS, { namespace: 'team-a' });
      const silent = stacks.filter(
        (stack) => conditionOf(stack as unknown as InferenceStack, 'Accepted').reason === '',
      );
      assert.equal(silent.length, 0, `${silent.length} stacks without a word`);
    }, 60_000);
    assert.equal(conditionOf(await getStack(plane.client, 'team-a', 'good'), 'Accepted').status, 'True');
    const stacks = await plane.client.listAll(STACKS, { namespace: 'team-a' });
    const answeredAt = (stack: InferenceStack): number =>
      Date.parse(stack.status?.conditions?.find(({ type }) => type === 'Accepted')?.lastTransitionTime ?? '');
    const later = stacks.filter(({ metadata }) => Number(metadata.name.slice('bad-'.length)) >= half);
    const last = Math.max(...later.map((stack) => answeredAt(stack as unknown as InferenceStack)));
    assert.ok(answeredAt(await getStack(plane.client, 'team-a', 'good')) <= last, 'it waits for nobody who came later');
    const refused = stacks.filter((stack) => JSON.stringify(stack['status']).includes('"InvalidSpec"'));
    assert.ok(refused.length > GARBAGE / 2, `${refused.length} were refused`);
    assert.equal(await operator.reconcileErrors(), 0, 'garbage is an answer, not an error');
  });
});
