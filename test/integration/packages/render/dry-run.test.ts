import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FIELD_MANAGER } from '../../../../packages/api/constants.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import type { RolloutStrategy } from '../../../../packages/render/model.ts';
import { render } from '../../../../packages/render/render.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import { readCases } from '../../../conformance/packages/render/case.ts';
import { anyStack } from '../../../support/operator/arbitrary-schema.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { optionalCrd } from '../../../support/kubernetes/optional-apis.ts';
import { createNamespace, installCrd, ownedType } from '../../../support/operator/stack-api.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

describe('a real API server', function () {
  this.timeout(300_000);
  let plane: ControlPlane;
  before(async () => {
    plane = await ControlPlane.start();
    await createNamespace(plane.client, 'team-a');
    for (const name of ['scaledObject', 'serviceMonitor'] as const)
      await installCrd(plane.client, await optionalCrd(name));
  });
  after(() => plane.stop());

  it('accepts every object of every set of values that the chart is compared by', async () => {
    const refused: string[] = [];
    for (const [name, { values, release }] of readCases()) {
      for (const problem of await problemsOf(stackWith(values, release))) {
        // Generated values are of the right type and may make no sense: then the field has to be named.
        if (name.startsWith('generated-')) assert.match(fieldOf(problem), FIELD_PATH, `${name}: ${problem.message}`);
        else refused.push(`${name}: ${problem.message}`);
      }
    }
    assert.deepEqual(refused, []);
  });

  it('accepts whatever the schema admits, or names the field that is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(anyStack, async (stack) => {
        for (const problem of await problemsOf(stack)) assert.match(fieldOf(problem), FIELD_PATH, problem.message);
      }),
      { numRuns: 60 },
    );
  });

  it('changes from each way of replacing pods to each other', async () => {
    const ways: RolloutStrategy[] = ['surge', 'recreate', 'inPlace', 'recreate', 'surge', 'inPlace'];
    for (const way of ways) {
      const { objects } = render(stackWith({ applications: { llama: {} } }), contextWith({ rollouts: { llama: way } }));
      for (const object of objects.filter(({ kind }) => kind === 'Deployment')) {
        await plane.client.apply(ownedType(object.kind), object, { fieldManager: FIELD_MANAGER, force: true });
      }
    }
  });

  /** Everything that a dry run refuses. */
  async function problemsOf(stack: InferenceStack): Promise<ApiError[]> {
    const problems: ApiError[] = [];
    for (const object of render(stack, contextWith()).objects) {
      try {
        await plane.client.apply(ownedType(object.kind), object, {
          fieldManager: FIELD_MANAGER,
          force: true,
          dryRun: true,
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        problems.push(error);
      }
    }
    return problems;
  }
});

/** `spec.template.spec.containers[0]…`, with the dot in front that server-side apply has, or the name of the object. */
const FIELD_PATH = /^\.?(?:spec|metadata|data)\b/;

/** Where the API server says that the problem is: in a cause, or in the message of a body that it could not even read. */
function fieldOf({ causes, message }: ApiError): string {
  const [cause] = causes;
  return cause?.field ?? /\.(?:spec|metadata|data)\b[^\s:]*/.exec(message)?.[0] ?? '';
}
