import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { checkout } from '../../../packages/lib/checkout.ts';
import type { FleetOutputs } from '../../../infra/outputs.ts';
import type { ProgramContext } from '../../../infra/environment.ts';
import { program } from '../../../infra/program.ts';
import { listOf, withFakeApi, type Answers } from '../../support/kubernetes/fake-api.ts';
import { OLM_MANIFEST, OLM_MANIFEST_OF_CONTROL_PLANE } from '../../support/olm/olm-manifest.ts';
import { infoOf, reveal, runProgram, valueOf, type ProgramResult } from '../../support/pulumi/pulumi-program.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;
const POLICY = 'kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy';
const NOW = new Date('2026-03-01T00:00:00Z');

/** A provider of images knows the digest after a build. */
function builtImage({ type }: pulumi.runtime.MockResourceArgs): Readonly<Record<string, unknown>> {
  return type === 'docker-build:index:Image' ? { digest: DIGEST } : {};
}

describe('the program, previewed without a cluster', () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleet-program-'));
    await writeFile(join(directory, 'olm-1.11.0.yaml'), OLM_MANIFEST);
  });

  after(async () => rm(directory, { recursive: true }));

  async function preview(
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<ProgramResult & { outputs: FleetOutputs; said: readonly string[] }> {
    const settings = {
      kubeconfig: join(directory, 'missing'),
      kubeContext: 'staging',
      olm: { manifest: join(directory, 'olm-{version}.yaml') },
      catalog: { source: 'checkout', template: 'catalog/operator_catalog_dev.yaml' },
      images: { repository: 'registry.example/fleet', base: 'registry.example/node:24' },
      operators: [{ major: 3, channel: 'fast' }, { major: 4 }],
      ...changes,
    };
    const config = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [
        `inference-stack-fleet:${key}`,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const said: string[] = [];
    const say = (message: string): void => void said.push(message);
    let outputs: FleetOutputs | undefined;
    const result = await runProgram(async () => {
      outputs = await program({
        environment: 'test',
        checkout,
        config,
        preview: true,
        now: NOW,
        log: { info: say, warn: say },
      });
    }, builtImage);
    assert.ok(outputs !== undefined);
    return { ...result, outputs, said };
  }

  it('shows what every operator resolves to', async () => {
    const { outputs, said } = await preview();
    assert.deepEqual(said.slice(1), ['v3: 3.1.0 (fast-v3, new)', 'v4: 4.0.0 (stable-v4, new)']);
    assert.deepEqual(outputs.operators, { v3: '3.1.0 from fast-v3', v4: '4.0.0 from stable-v4' });
  });

  it('registers OLM, the API, installers, images, the catalog, extensions and guards', async () => {
    const { resources } = await preview();
    const components = resources
      .filter(({ type }) => type.startsWith('inference-stack-fleet:'))
      .map(({ type }) => type);
    assert.deepEqual([...new Set(components)].sort(), [
      'inference-stack-fleet:api:InferenceStackApi',
      'inference-stack-fleet:catalog:ClusterCatalog',
      'inference-stack-fleet:fleet:FleetAccess',
      'inference-stack-fleet:fleet:OperatorFleet',
      'inference-stack-fleet:guards:FleetGuards',
      'inference-stack-fleet:images:BundleImage',
      'inference-stack-fleet:images:CatalogImage',
      'inference-stack-fleet:images:CheckoutCatalog',
      'inference-stack-fleet:images:ContainerImage',
      'inference-stack-fleet:olm:OlmV1',
    ]);
  });

  it('serves the catalog that it built, by digest', async () => {
    const result = await preview();
    const { spec } = result.find('kubernetes:olm.operatorframework.io/v1:ClusterCatalog', 'inference-stack-catalog')
      .inputs as {
      spec: { source: { image: unknown } };
    };
    assert.deepEqual(spec.source.image, { ref: `registry.example/fleet/operator-catalog@${DIGEST}` });
  });

  it('pushes every image as the configured user, whose password stays secret', async () => {
    const user = { username: 'robot', password: 'hunter2' };
    const { resources } = await preview({
      images: { repository: 'registry.example/fleet', base: 'registry.example/node:24', ...user },
    });
    const images = resources.filter(({ type }) => type === 'docker-build:index:Image');
    assert.ok(images.length > 0);
    for (const { inputs } of images) {
      assert.deepEqual(reveal(inputs['registries']), [{ address: 'registry.example', ...user }]);
    }
  });

  it('installs a platform without operators when none are listed', async () => {
    const { resources, outputs } = await preview({ operators: [] });
    assert.equal(
      resources.some(({ type }) => type.includes('ClusterExtension')),
      false,
    );
    assert.deepEqual(outputs.operators, {});
  });

  it('says that it could not ask the cluster', async () => {
    const { said } = await preview();
    assert.match(
      said[0] ?? '',
      /^The cluster cannot be reached \(kubeconfig .*: there is no such file.*\): this preview assumes a new cluster, and does not know what becomes of InferenceStacks\.$/,
    );
  });

  it('says where it assumes that OLM will run, as the cluster cannot be asked', async () => {
    await writeFile(join(directory, 'placed.yaml'), OLM_MANIFEST_OF_CONTROL_PLANE);
    const olm = { manifest: join(directory, 'placed.yaml') };
    const line = /^The nodes of the cluster are not known: OLM is placed on nodes labelled /;
    const lines = async (settings: object): Promise<number> =>
      (await infoOf(async () => preview({ olm: settings }))).filter((each) => line.test(each)).length;
    assert.equal(await lines(olm), 1);
    assert.equal(await lines({ ...olm, nodeSelector: {} }), 0);
  });

  it('leaves an existing OLM alone', async () => {
    const { resources, outputs } = await preview({ olm: { mode: 'existing' } });
    assert.equal(
      resources.some(({ type }) => type === 'inference-stack-fleet:olm:OlmV1'),
      false,
    );
    assert.equal(outputs.olm, 'existing');
  });

  it('leaves the guards out when told to', async () => {
    const { resources } = await preview({ guards: 'off' });
    assert.equal(
      resources.some(({ type }) => type.includes('ValidatingAdmissionPolicy')),
      false,
    );
  });

  it('holds writers of extensions to a list, and says of whom it does not know', async () => {
    const olm = { manifest: join(directory, 'olm-{version}.yaml'), writers: ['Group platform'] };
    const result = await preview({ olm });
    const { spec } = result.find(POLICY, 'inference-stack-fleet-writers').inputs;
    assert.match(JSON.stringify(spec), /\['platform'\]/);
    assert.ok(
      result.said.some((line) => line.startsWith('olm.writers: the user that `up` will run as is not known here.')),
    );
    const without = await preview();
    assert.throws(() => without.find(POLICY, 'inference-stack-fleet-writers'));
  });

  it('lets stacks ask for an operator that somebody else installed, and does not take it for one to remove', async () => {
    const name = 'inference-stack-operator-v2';
    const answers = {
      '/apis/olm.operatorframework.io/v1/clusterextensions': listOf({
        metadata: { name },
        spec: { source: { catalog: { packageName: 'inference-stack-operator' } } },
      }),
      '/apis/models.titanml.co/v1beta1/inferencestacks': listOf({
        metadata: { name: 'chat', namespace: 'team-a', labels: { operatorVersion: 'v2' } },
      }),
      '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations': listOf(),
    };
    const result = await withFakeApi(answers, (kubeconfig) => preview({ kubeconfig, kubeContext: 'fake' }));
    const { spec } = result.find(POLICY, 'inference-stack-fleet-stacks').inputs;
    assert.match(JSON.stringify(spec), /variables\.major in \['2', '3', '4'\]/);
  });

  it('refuses a version that the catalog does not have', async () => {
    await assert.rejects(
      preview({ operators: [{ major: 3, version: '9.9.9' }] }),
      /operators\[0\]: cannot be resolved/,
    );
  });
});

describe('the program, run for real', () => {
  const silent = (): void => undefined;

  it('says that it cannot reach the cluster', async () => {
    const config = {
      'inference-stack-fleet:kubeconfig': '/nonexistent/kubeconfig',
      'inference-stack-fleet:kubeContext': 'production',
      'inference-stack-fleet:operators': '[]',
    };
    const run = runProgram(async () => {
      await program({
        environment: 'test',
        checkout,
        config,
        preview: false,
        now: NOW,
        log: { info: silent, warn: silent },
      });
    });
    await assert.rejects(
      run,
      /kubeContext: cannot be reached: .*\(got "production"\)\. Check it with `kubectl cluster-info`\./,
    );
  });

  describe('in a cluster that answers', () => {
    const OPERATOR = 'inference-stack-operator-v3';
    const path = '/apis/apps/v1/namespaces/inference-stack-operator-system/deployments';
    const ready = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const deployment = (status: object): object => ({ metadata: { name: OPERATOR, generation: 1 }, status });

    /** What the program exports about its operators in the end. */
    async function run(answers: Answers, checkController?: ProgramContext['checkController']): Promise<unknown> {
      const directory = await mkdtemp(join(tmpdir(), 'fleet-program-'));
      await writeFile(join(directory, 'olm-1.11.0.yaml'), OLM_MANIFEST);
      const config = (kubeconfig: string): Record<string, string> => ({
        'inference-stack-fleet:kubeconfig': kubeconfig,
        'inference-stack-fleet:kubeContext': 'fake',
        'inference-stack-fleet:olm': JSON.stringify({ manifest: join(directory, 'olm-{version}.yaml') }),
        'inference-stack-fleet:catalog': JSON.stringify({
          source: 'checkout',
          template: 'catalog/operator_catalog_dev.yaml',
        }),
        'inference-stack-fleet:images': JSON.stringify({ repository: 'registry.example/fleet', base: 'node:24' }),
        'inference-stack-fleet:operators': JSON.stringify([{ major: 3, channel: 'fast' }]),
      });
      const webhooks = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
      try {
        return await withFakeApi({ [webhooks]: listOf(), ...answers }, async (kubeconfig) => {
          let operators: unknown;
          await runProgram(async () => {
            const log = { info: silent, warn: silent };
            const context = {
              environment: 'test',
              checkout,
              config: config(kubeconfig),
              preview: false,
              ...(checkController === undefined ? {} : { checkController }),
              now: NOW,
              log,
            };
            operators = await valueOf(pulumi.output((await program(context)).operators));
          }, builtImage);
          return operators;
        });
      } finally {
        await rm(directory, { recursive: true });
      }
    }

    it('ends when the newest pods of its operators run', async () => {
      assert.deepEqual(await run({ [path]: listOf(deployment(ready)) }), { v3: '3.1.0 from fast-v3' });
    });

    it('builds no image of a controller that was packed from other sources', async () => {
      const problem = { path: 'controller.cjs', message: 'was packed from other sources' };
      await assert.rejects(
        run({}, () => [problem]),
        /controller\.cjs: was packed from other sources/,
      );
    });
  });
});
