import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLock } from '../../../components/catalog/lock.ts';
import { addVersion } from '../../../components/catalog/release.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { program } from '../../../infra/program.ts';
import { OLM_MANIFEST } from '../../support/olm/olm-manifest.ts';
import { sampleBundle } from '../../support/olm/sample-catalog.ts';
import { runProgram } from '../../support/pulumi/pulumi-program.ts';
import { committedSettings } from '../../support/pulumi/environment-config.ts';
import { noteUrns, type NamedResource } from '../../support/pulumi/urns.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;

/** What clusters were installed with before children were named after their components. Never recorded again, only added to. */
const RECORDED = new URL('urns.recorded.json', import.meta.url);

describe('resources of clusters that exist', () => {
  let directory: string;
  let recorded: Readonly<Record<'development' | 'production', readonly string[]>>;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleet-urns-'));
    await writeFile(join(directory, 'olm.yaml'), OLM_MANIFEST);
    await writeFile(join(directory, 'ca.pem'), '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n');
    recorded = JSON.parse(await readFile(RECORDED, 'utf8')) as typeof recorded;
  });
  after(async () => rm(directory, { recursive: true }));

  /** Writes a template with one released version, and its lock. */
  async function release(version: string): Promise<string> {
    const file = join(directory, 'operator_catalog.yaml');
    const template = 'Schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles: []\n';
    const empty = { template, file, lock: { package: 'inference-stack-operator', versions: [] } };
    const bundle = sampleBundle(version);
    const state = addVersion(empty, { image: bundle.image, digest: DIGEST, bundle, streams: ['Stable'] });
    await writeFile(file, state.template);
    await writeFile(join(directory, 'catalog.lock.yaml'), writeLock(state.lock));
    return file;
  }

  /** The development catalog, when its majors were 1 and 2. */
  async function earlierTemplate(): Promise<string> {
    const file = join(directory, 'operator_catalog_dev.yaml');
    const images = ['1.0.0', '1.1.0', '2.0.0', '2.1.0'].map(
      (version) => `  - Image: registry.example/bundle:${version}\n`,
    );
    await writeFile(file, `Schema: olm.semver\nGenerateMajorChannels: true\nFast:\n  Bundles:\n${images.join('')}`);
    return file;
  }

  async function registered(settings: Readonly<Record<string, unknown>>): Promise<readonly NamedResource[]> {
    const all = { kubeconfig: join(directory, 'missing'), kubeContext: 'staging', ...settings };
    const config = Object.fromEntries(
      Object.entries(all).map(([key, value]) => [
        `inference-stack-fleet:${key}`,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const silent = (): void => undefined;
    const now = new Date('2026-03-01T00:00:00Z');
    let noted: readonly NamedResource[] = [];
    await runProgram(
      async () => {
        noted = noteUrns();
        await program({
          environment: 'test',
          checkout,
          config,
          preview: true,
          now,
          log: { info: silent, warn: silent },
        });
      },
      ({ type }) => (type === 'docker-build:index:Image' ? { digest: DIGEST } : {}),
    );
    return noted;
  }

  /** As Pulumi.dev.yaml says, but for the cluster, an OLM that installs by accounts, and the majors of the time of the record. */
  async function development(): Promise<readonly NamedResource[]> {
    return registered({
      olm: { version: '1.10.0', manifest: join(directory, 'olm.yaml') },
      catalog: { ...committedSettings('Pulumi.dev.yaml', 'catalog'), template: await earlierTemplate() },
      api: committedSettings('Pulumi.dev.yaml', 'api'),
      operators: [1, 2].map((major) => ({ major, channel: 'fast' })),
      images: { repository: 'registry.example/fleet', base: 'registry.example/node:24' },
      demo: 'true',
    });
  }

  /** As Pulumi.prod.yaml says, with a release, and with every setting that adds resources. */
  async function production(): Promise<readonly NamedResource[]> {
    return registered({
      olm: {
        version: '1.11.0',
        manifest: join(directory, 'olm.yaml'),
        replicas: 2,
        certificates: 'cert-manager',
        nodeSelector: { pool: 'system' },
        writers: ['Group platform'],
      },
      catalog: { ...committedSettings('Pulumi.prod.yaml', 'catalog'), template: await release('1.0.0') },
      images: { repository: 'registry.example/fleet' },
      api: { protect: true, modelOrchestra: true },
      pullSecret: '{"auths":{}}',
      registryCa: join(directory, 'ca.pem'),
      operators: [{ major: 1, channel: 'stable' }],
    });
  }

  it('are found again by a development environment', async () => {
    assert.deepEqual(lost(recorded.development, await development()), []);
  });

  it('are found again by a production environment', async () => {
    assert.deepEqual(lost(recorded.production, await production()), []);
  });

  it('are each found by one resource, as Pulumi refuses two that claim the same', async () => {
    for (const resources of [await development(), await production()]) {
      const names = resources.flatMap(({ urn, aliases }) => [urn, ...aliases]);
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      );
    }
  });
});

/** Recorded resources that Pulumi would delete. */
function lost(recorded: readonly string[], resources: readonly NamedResource[]): readonly string[] {
  const known = new Set(resources.flatMap(({ urn, aliases }) => [urn, ...aliases]));
  return recorded.filter((urn) => !known.has(urn));
}
