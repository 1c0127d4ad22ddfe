import assert from 'node:assert/strict';
import fc from 'fast-check';
import { convertChart044 } from '../../../../cli/migrate/chart-0-4-4.ts';
import { convertChart182 } from '../../../../cli/migrate/chart-1-8-2.ts';
import { FIELD_MANAGER } from '../../../../packages/api/constants.ts';
import { OPEN_ENGINES } from '../../../../packages/api/engine.ts';
import type { Application, InferenceStack, InferenceStackSpec, Model } from '../../../../packages/api/types.ts';
import { validate } from '../../../../packages/api/validate.ts';
import type { RolloutStrategy } from '../../../../packages/render/model.ts';
import { render } from '../../../../packages/render/render.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import { readCases as readCases044 } from '../../../conformance/cli/migrate/chart-0-4-4/case.ts';
import { CHART_1_8_2, readCases } from '../../../conformance/packages/render/case.ts';
import { anyOpenStack, anyStack } from '../../../support/operator/arbitrary-schema.ts';
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

  it('accepts every object of open engines, whatever people set of what they need', async () => {
    const model = { name: 'org/model', revision: 'v1', tokenSecret: { name: 'hugging-face' } };
    const applications: Application[] = [
      { engine: 'vllm', model, gpu: { count: 2, product: 'NVIDIA-L4', minMemory: '20Gi' }, weight: 997 },
      { engine: 'sglang', model: { path: 'qwen' }, modelCache: { size: '10Gi' }, shmSize: '1Gi', weight: 3 },
      {
        engine: 'llamacpp',
        model: { url: 'https://example.com/m.gguf' },
        resources: { limits: { cpu: '250m', memory: '1Gi' } },
      },
      {
        engine: 'vllm',
        model: { image: { reference: 'registry.example/model:1', pullPolicy: 'Always' } },
        suspend: true,
      },
      { engine: 'openai', image: { repository: 'registry.example/own' }, command: ['serve'], args: ['x'], port: 9000 },
      {
        engine: 'vllm',
        model: { path: '/models/qwen' },
        // Each of these the operator has, too.
        ports: [{ name: 'http', containerPort: 8000 }, { containerPort: 8000 }, { name: 'grpc', containerPort: 50051 }],
        volumes: [{ name: 'tmp', emptyDir: {} }],
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'cache', mountPath: '/cache/' },
        ],
        modelsVolume: { name: 'cache', persistentVolumeClaim: { claimName: 'models' } },
        env: [{ name: 'HOME', value: '/root' }],
        scaling: { enabled: true, spec: { triggers: [{ type: 'cron', metadata: {} }] } },
        startupProbe: { httpGet: { path: '/', port: 'http' }, failureThreshold: 10_000 },
        drain: { seconds: 30 },
      },
    ];
    const named = applications.map((application, index): [string, Application] => [
      `app-${String(index)}`,
      { aliases: ['chat'], ...application },
    ]);
    const spec: InferenceStackSpec = {
      gateway: {
        exportPrometheusMetrics: true,
        replicaCount: 2,
        ingress: { enabled: true, hosts: [{ host: 'a.example' }] },
      },
      networkPolicy: { scrapers: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
      applications: Object.fromEntries(named),
    };
    assert.deepEqual(await problemsOf(stackWith(spec)), []);
    const kinds = new Set(render(stackWith(spec), contextWith()).objects.map(({ kind }) => kind));
    assert.equal(kinds.size, 10);
  });

  const kinds = { 'of any engine': anyStack, 'of open engines': anyOpenStack };
  for (const [what, stacks] of Object.entries(kinds)) {
    it(`accepts whatever the schema admits in a stack ${what}, or names the field that is wrong`, async () => {
      await fc.assert(
        fc.asyncProperty(stacks, async (stack) => {
          for (const problem of await problemsOf(stack)) assert.match(fieldOf(problem), FIELD_PATH, problem.message);
        }),
        { numRuns: 60 },
      );
    });
  }

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
