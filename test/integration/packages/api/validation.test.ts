import assert from 'node:assert/strict';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { createNamespace, installCrd, stackCrd, stackType } from '../../../support/operator/stack-api.ts';
import { stackWith } from '../../../support/people/stacks.ts';
import { VALIDATION_CASES } from '../../../support/people/validation-cases/index.ts';
import { RULES } from '../../../../packages/api/rules.ts';

describe('the API server', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  before(async () => {
    plane = await ControlPlane.start();
    await createNamespace(plane.client, 'team-a');
    // The installation itself proves that every CEL rule compiles and stays within the cost budget.
    await installCrd(plane.client, await stackCrd());
  });
  after(() => plane.stop());

  for (const { title, spec, name, path } of VALIDATION_CASES) {
    it(`${path === undefined ? 'accepts' : 'refuses'} ${title}, as the operator does`, async () => {
      const stack = stackWith(spec, name) as unknown as KubernetesObject;
      const causes = await create(plane.client, stack);
      if (path === undefined) {
        assert.deepEqual(causes, []);
      } else {
        const paths = causes.map(({ field }) => dotted(field));
        assert.ok(paths.includes(path), `${path} is not among ${JSON.stringify(causes)}`);
      }
    });
  }

  it('says in the words of the rule what is allowed', async () => {
    const stack = stackWith({ applications: { gateway: {} } }) as unknown as KubernetesObject;
    const [cause] = await create(plane.client, stack);
    const rule = RULES.find(({ on }) => on === 'InferenceStackSpec.applications');
    assert.ok(cause?.message?.includes(rule?.message ?? '-'), cause?.message);
  });
});

async function create(
  client: Client,
  stack: KubernetesObject,
): Promise<readonly { field?: string; message?: string }[]> {
  try {
    await client.create(stackType(), stack);
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.causes;
    throw error;
  }
  await client.delete(stackType(), { namespace: stack.metadata.namespace, name: stack.metadata.name });
  return [];
}

/** The API server writes map keys in brackets, and no path at all for the object as a whole. */
function dotted(field = ''): string {
  return field === '<nil>' ? '' : field.replace(/\[([^\]0-9][^\]]*)\]/g, '.$1');
}
