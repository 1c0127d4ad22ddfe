import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { writeLock } from '../../../../components/catalog/lock.ts';
import { addVersion } from '../../../../components/catalog/release.ts';
import { program } from '../../../../infra/program.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { objectAt } from '../../../../packages/lib/json.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';
import { sampleBundle } from '../../../support/olm/sample-catalog.ts';
import { runProgram } from '../../../support/pulumi/pulumi-program.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;

describe('one run of the program', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleet-once-'));
    await writeFile(join(directory, 'olm.yaml'), OLM_MANIFEST);
  });
  after(() => rm(directory, { recursive: true }));

  /** How often a template was parsed, and how often the bundle of each version was made. */
  async function count(
    catalog: object,
    operators: readonly object[],
    digests: boolean,
  ): Promise<{ readonly parsed: number; readonly bundles: Readonly<Record<string, number>> }> {
    const settings = {
      kubeconfig: join(directory, 'missing'),
      kubeContext: 'staging',
      olm: JSON.stringify({ manifest: join(directory, 'olm.yaml') }),
      images: JSON.stringify({ repository: 'registry.example/fleet', base: 'registry.example/node:24' }),
      catalog: JSON.stringify(catalog),
      operators: JSON.stringify(operators),
    };
    const config = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`inference-stack-fleet:${key}`, value]),
    );
    const silent = (): void => undefined;
    const log = { info: silent, warn: silent };
    const load = mock.method(yaml, 'load');
    const dump = mock.method(yaml, 'dump');
    try {
      await runProgram(
        async () => {
          await program({ environment: 'test', checkout, config, preview: true, now: new Date(), log });
        },
        ({ type }) => (digests && type === 'docker-build:index:Image' ? { digest: DIGEST } : {}),
        { preview: !digests },
      );
      const written = dump.mock.calls.map(({ arguments: [document] }) => objectAt(document));
      const versions = written
        .filter(({ kind }) => kind === 'ClusterServiceVersion')
        .map(({ spec }) => String(objectAt(spec)['version']));
      return {
        parsed: load.mock.calls.filter(({ arguments: [text] }) => text.includes('olm.semver')).length,
        bundles: Object.fromEntries(
          Object.entries(Object.groupBy(versions, (version) => version)).map(([key, all]) => [key, all?.length ?? 0]),
        ),
      };
    } finally {
      load.mock.restore();
      dump.mock.restore();
    }
  }

  describe('with a catalog of this checkout', () => {
    const catalog = (): object => ({ source: 'checkout', template: join(directory, 'catalog.yaml') });
    const operators = [{ major: 3, channel: 'fast' }, { major: 4 }];
    before(() => cp('catalog/operator_catalog_dev.yaml', join(directory, 'catalog.yaml')));

    it('parses the template once and builds every bundle once while the controller has no image yet', async () => {
      const bundles = { '3.0.0': 1, '3.1.0': 1, '4.0.0': 1, '4.1.0': 1 };
      assert.deepEqual(await count(catalog(), operators, false), { parsed: 1, bundles });
    });

    it('builds every bundle once more, and only once, with the image of the controller', async () => {
      const bundles = { '3.0.0': 2, '3.1.0': 2, '4.0.0': 2, '4.1.0': 2 };
      assert.deepEqual(await count(catalog(), operators, true), { parsed: 1, bundles });
    });
  });

  it('parses the template of released versions once, and builds no bundle', async () => {
    const template = join(directory, 'released', 'operator_catalog.yaml');
    await cp('catalog/operator_catalog_dev.yaml', template);
    const bundle = sampleBundle('3.0.0');
    const empty = {
      template: 'Schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles: []\n',
      file: template,
      lock: { package: 'inference-stack-operator', versions: [] },
    };
    const state = addVersion(empty, { image: bundle.image, digest: DIGEST, bundle, streams: ['Stable'] });
    await writeFile(template, state.template);
    await writeFile(join(directory, 'released', 'catalog.lock.yaml'), writeLock(state.lock));
    const counts = await count({ source: 'build', template }, [{ major: 3 }], true);
    assert.deepEqual(counts, { parsed: 1, bundles: {} });
  });
});
