import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLock } from '../../../../components/catalog/lock.ts';
import { addVersion } from '../../../../components/catalog/release.ts';
import { program } from '../../../../infra/program.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';
import { sampleBundle } from '../../../support/olm/sample-catalog.ts';
import { runProgram } from '../../../support/pulumi/pulumi-program.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;

describe('the catalog image that an environment builds of released versions', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fleet-tag-'));
    await writeFile(join(directory, 'olm.yaml'), OLM_MANIFEST);
  });
  after(() => rm(directory, { recursive: true }));

  it('has a tag of its own, so that no cluster that follows the public one gets it', async () => {
    const file = join(directory, 'operator_catalog.yaml');
    const template = 'Schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles: []\n';
    const empty = { template, file, lock: { package: 'inference-stack-operator', versions: [] } };
    const bundle = sampleBundle('1.0.0');
    const state = addVersion(empty, { image: bundle.image, digest: DIGEST, bundle, streams: ['Stable'] });
    await writeFile(file, state.template);
    await writeFile(join(directory, 'catalog.lock.yaml'), writeLock(state.lock));
    const settings = {
      kubeconfig: join(directory, 'missing'),
      kubeContext: 'staging',
      olm: JSON.stringify({ manifest: join(directory, 'olm.yaml') }),
      images: JSON.stringify({ repository: 'registry.example/fleet' }),
      catalog: JSON.stringify({ source: 'build', template: file }),
      operators: JSON.stringify([{ major: 1 }]),
    };
    const config = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`inference-stack-fleet:${key}`, value]),
    );
    const silent = (): void => undefined;
    const { resources } = await runProgram(
      async () => {
        const log = { info: silent, warn: silent };
        await program({ environment: 'staging', checkout, config, preview: true, now: new Date(), log });
      },
      ({ type }) => (type === 'docker-build:index:Image' ? { digest: DIGEST } : {}),
    );
    const tags = resources.flatMap(({ type, inputs }) => (type === 'docker-build:index:Image' ? [inputs['tags']] : []));
    assert.deepEqual(tags, [['registry.example/fleet/operator-catalog:environment-staging']]);
  });
});
