import assert from 'node:assert/strict';
import fc from 'fast-check';
import { convertChart044 } from '../../../../cli/migrate/chart-0-4-4.ts';
import { convertChart182 } from '../../../../cli/migrate/chart-1-8-2.ts';
import { FIELD_MANAGER } from '../../../../packages/api/constants.ts';
import { OPEN_ENGINES } from '../../../../packages/api/engine.ts';
import type { InferenceStack, InferenceStackSpec, Model } from '../../../../packages/api/types.ts';
import { validate } from '../../../../packages/api/validate.ts';
import type { RolloutStrategy } from '../../../../packages/render/model.ts';
import { render } from '../../../../packages/render/render.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import { readCases as readCases044 } from '../../../conformance/cli/migrate/chart-0-4-4/case.ts';
import { CHART_1_8_2, readCases } from '../../../conformance/packages/render/case.ts';
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
    for (const [name, { values, release }] of readCases()) await acceptsAll(name, stackWith(values, release));
  });

  it('accepts every object of converted values of chart 1.8.2', async () => {
    for (const [name, { values, release }] of CHART_1_8_2.cases()) {
      await acceptsAll(name, stackWith(convertChart182(values).spec, release));
    }
  });

  it('accepts every object of converted values of chart 0.4.4', async () => {
    for (const [name, { values, release }] of readCases044()) {
      await acceptsAll(name, stackWith(convertChart044(values, release).spec, release));
    }
  });

  it('accepts whatever the schema admits, or names the field that is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(anyStack, async (stack) => {
        for (const problem of await problemsOf(stack)) assert.match(fieldOf(problem), FIELD_PATH, problem.message);
      }),
      { numRuns: 60 },
    );
  });

  it('accepts what every open engine and its gateway are made of, whatever the source of the model', async () => {
    const sources: Readonly<Record<string, Model>> = {
      name: { name: 'org/model', tokenSecret: { name: 'hf' } },
      path: { path: 'model' },
      url: { url: 'https://models.example/tiny.gguf' },
      image: { image: { reference: 'registry.example/model:1', path: 'model' } },
    };
    const more = { gpu: { count: 2 }, shmSize: '8Gi', modelCache: { size: '1Gi' }, drain: { seconds: 5 } };
    const refused: string[] = [];
    for (const engine of OPEN_ENGINES) {
      for (const [source, model] of Object.entries(sources)) {
        const image = { repository: 'registry.example/engine', tag: '1' };
        const name = `${engine}-${source}`;
        const spec: InferenceStackSpec = {
          gateway: { exportPrometheusMetrics: true },
          applications: { [name]: { engine, image, model, ...more } },
        };
        if (!validate(stackWith(spec)).valid) refused.push(name);
        else assert.deepEqual(await problemsOf(stackWith(spec)), []);
      }
    }
    assert.deepEqual(refused, ['vllm-url', 'sglang-url'], 'what loads from no address');
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

  async function acceptsAll(name: string, stack: InferenceStack): Promise<void> {
    const problems = await problemsOf(stack);
    // Generated values are of the right type and may make no sense: then the field has to be named.
    const refused = problems.filter((problem) => !name.startsWith('generated-') || !FIELD_PATH.test(fieldOf(problem)));
    assert.deepEqual(
      refused.map(({ message }) => message),
      [],
      name,
    );
  }

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
