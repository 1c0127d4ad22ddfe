import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { installRelease } from '../../../../components/release/install-release.ts';
import type { ReleaseArgs, ReleasedOlm } from '../../../../components/release/release-args.ts';
import { program } from '../../../../infra/program.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { listOf, withFakeApi, type Answers } from '../../../support/kubernetes/fake-api.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';
import { sampleCatalog } from '../../../support/olm/sample-catalog.ts';
import {
  infoOf,
  objectName,
  runProgram,
  type ProgramResult,
  type Registered,
} from '../../../support/pulumi/pulumi-program.ts';
import { withServedCatalog, type ServedCatalog } from '../../../support/registry/tls-catalog.ts';

const CATALOG = sampleCatalog(['3.0.0', '3.1.0', '4.0.0']);
const SECRET = '{"auths":{"registry.example":{"auth":"dXNlcjpwYXNz"}}}';
const IMAGES = { catalogd: 'registry.example/catalogd:1', operatorController: 'registry.example/controller:1' };
/** A cluster without OLM, and without nodes of a control plane. */
const EMPTY: Answers = {
  '/api/v1/nodes': listOf(),
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations': listOf(),
};

type Options = Omit<ReleaseArgs, 'cluster' | 'catalog'>;

describe('installing a release from the package', () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'release-'));
    await writeFile(join(directory, 'olm.yaml'), OLM_MANIFEST);
  });
  after(() => rm(directory, { recursive: true }));

  const olm = (settings: ReleasedOlm = {}): ReleasedOlm => ({ manifest: join(directory, 'olm.yaml'), ...settings });

  /** What a program registers that has nothing but the package. */
  async function install(args: ReleaseArgs): Promise<readonly Registered[]> {
    let resources: readonly Registered[] = [];
    await infoOf(async () => {
      ({ resources } = await preview(async () => {
        await installRelease('fleet', args);
      }));
    });
    return resources;
  }

  /** What this repository's program registers with the same settings. */
  async function registered(
    kubeconfig: string,
    { digest, ca }: ServedCatalog,
    { registryCa, ...settings }: Options,
  ): Promise<readonly Registered[]> {
    await writeFile(join(directory, 'ca.pem'), ca);
    const all = {
      kubeconfig,
      kubeContext: 'fake',
      catalog: { source: 'image', image: digest },
      ...settings,
      ...(registryCa === undefined ? {} : { registryCa: join(directory, 'ca.pem') }),
    };
    const config = Object.entries(all).map(([key, value]) => [
      `inference-stack-fleet:${key}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const silent = (): void => undefined;
    const environment = { environment: 'test', checkout, preview: true, log: { info: silent, warn: silent } };
    const { resources } = await preview(async () => {
      await program({
        ...environment,
        config: Object.fromEntries(config) as Record<string, string>,
        now: new Date(),
      });
    });
    return resources;
  }

  const cases: Readonly<Record<string, () => Options>> = {
    'with defaults': () => ({ operators: [{ major: 3 }], olm: olm() }),
    'with an OLM that installs by accounts, two majors, a range, and images of its own': () => ({
      operators: [{ major: 3, channel: 'fast', version: '3.0.x' }, { major: 4 }],
      olm: olm({ version: '1.10.0', images: IMAGES, replicas: 2 }),
      guards: 'warn',
    }),
    'with credentials, and without guards': () => ({
      operators: [{ major: 3 }],
      olm: olm(),
      pullSecret: SECRET,
      guards: 'off',
    }),
  };
  for (const [name, options] of Object.entries(cases)) {
    it(`registers what the program of this repository registers ${name}`, async () => {
      await withServedCatalog(CATALOG, async (served) => {
        await withFakeApi(EMPTY, async (kubeconfig) => {
          const given = { ...options(), registryCa: served.ca };
          const cluster = { kubeconfig, context: 'fake' };
          const own = await install({ ...given, cluster, catalog: served.digest });
          const wanted = await registered(kubeconfig, served, given);
          assert.deepEqual(objectsIn(own), objectsIn(wanted));
          assert.ok(wanted.length > 10);
        });
      });
    });
  }

  it('says which version each operator gets, and what it goes from', async () => {
    const extension = {
      metadata: {
        name: 'inference-stack-operator-v3',
        labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
      },
      spec: { source: { catalog: { packageName: 'inference-stack-operator' } } },
      status: { install: { bundle: { name: 'inference-stack-operator.v3.0.0', version: '3.0.0' } } },
    };
    const answers = { ...EMPTY, '/apis/olm.operatorframework.io/v1/clusterextensions': listOf(extension) };
    await withServedCatalog(CATALOG, async ({ digest, ca }) => {
      await withFakeApi(answers, async (kubeconfig) => {
        const args = { cluster: { kubeconfig }, catalog: digest, registryCa: ca, operators: [{ major: 3 }] };
        const said = await infoOf(() => preview(() => ignore(installRelease('fleet', { ...args, olm: olm() }))));
        assert.ok(said.includes('v3: 3.0.0 -> 3.1.0 (stable-v3, replaces it)'), said.join('\n'));
        const stack = { metadata: { namespace: 'a', name: 'chat', labels: { operatorVersion: 'v3' } } };
        const used = { ...answers, '/apis/models.titanml.co/v1beta1/inferencestacks': listOf(stack) };
        await withFakeApi(used, async (other) => {
          await assert.rejects(
            installRelease('fleet', { ...args, cluster: { kubeconfig: other }, operators: [{ major: 4 }] }),
            /^Error: operators: no longer lists major 3, but a stack names it: a\/chat\. Relabel or delete/,
          );
        });
      });
    });
  });

  it('refuses, without a stack trace, what it could not stand for', async () => {
    const digest = `registry.invalid/catalog@sha256:${'a'.repeat(64)}`;
    await withFakeApi(EMPTY, async (kubeconfig) => {
      const args = { cluster: { kubeconfig }, catalog: digest, operators: [{ major: 3 }], olm: olm() };
      const refusals: readonly (readonly [Partial<ReleaseArgs>, RegExp])[] = [
        [{ catalog: 'registry.invalid/catalog:3' }, /catalog: is not named by its registry and its digest alone/],
        [{ olm: olm({ version: '1.4.0' }) }, /olm\.version: is older than 1\.5\.1/],
        [{ olm: 'existing' }, /expects an OLM v1 in the cluster, but there is none/],
        [{}, /registry\.invalid\/catalog@.*: cannot be pulled: .*Check that registry\.invalid is right/],
        [
          { cluster: { kubeconfig: join(directory, 'missing'), context: 'mine' } },
          /cluster: cannot be reached: .* \(got "mine"\)\. .*kubectl cluster-info/,
        ],
      ];
      for (const [change, message] of refusals) {
        await assert.rejects(installRelease('fleet', { ...args, ...change }), (error: unknown) => {
          assert.ok(error instanceof pulumi.RunError);
          assert.match(error.message, message);
          return true;
        });
      }
    });
  });
});

/** Certificates, which chance decides, stay unknown in a preview. */
async function preview(run: () => Promise<void>): Promise<ProgramResult> {
  return runProgram(run, undefined, { preview: true });
}

async function ignore(result: Promise<unknown>): Promise<void> {
  await result;
}

/** Kubernetes objects by kind and name: what Pulumi calls them differs. */
function objectsIn(resources: readonly Registered[]): Readonly<Record<string, unknown>> {
  const objects = resources.filter(({ type }) => type.startsWith('kubernetes:'));
  return Object.fromEntries(objects.map((each) => [`${each.type} ${objectName(each)}`, each.inputs]));
}
