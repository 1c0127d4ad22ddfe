import assert from 'node:assert/strict';
import semver from 'semver';
import { issueCa, issueLeaf } from '../../../../components/certificates/certificate.ts';
import type { FbcBundle } from '../../../../components/catalog/fbc.ts';
import type { PlannedOperator } from '../../../../components/fleet/plan.ts';
import { pinImage } from '../../../../components/registry/pin-image.ts';
import { formatReference } from '../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import type { PreparedCatalog } from '../../../../infra/catalog/prepare-catalog.ts';
import type { Environment } from '../../../../infra/environment.ts';
import { describeOperatorImpact, fleetImpact, installedOf, upgradesIn } from '../../../../infra/impact/fleet-impact.ts';
import { CHANGES, packedOperator } from '../../../support/operator/changed-operator.ts';
import { clusterWith, served } from '../../../support/operator/impact-cluster.ts';
import { withImage } from '../../../support/registry/image-server.ts';
import { writeTar } from '../../../support/registry/tar.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const STACK = stackWith({ applications: { llama: { engine: 'vllm', model: { name: 'org/llama' } } } });

function bundleOf(version: string, image: string): FbcBundle {
  const property = { type: 'olm.package', value: { packageName: 'inference-stack-operator', version } };
  const relatedImages = [{ name: 'controller', image }];
  return { schema: 'olm.bundle', name: `v${version}`, package: 'p', image, properties: [property], relatedImages };
}

function planned(from: string | undefined, to: string, image = ''): PlannedOperator {
  const plan = { channel: 'stable-v1', to, ...(from === undefined ? {} : { from }), edge: 'replaces', skipped: [] };
  const bundles = [from ?? to, to].map((version) => bundleOf(version, version === to ? image : 'other'));
  return { operator: { major: semver.major(to), channel: 'stable' }, plan, bundles } as unknown as PlannedOperator;
}

function environmentWith(registryCa?: string): Environment {
  return { settings: {}, cluster: { registryCa }, checkout: '/nowhere' } as unknown as Environment;
}

const RELEASED = { origin: { source: 'build' } } as unknown as PreparedCatalog;
const CHECKOUT = { origin: { source: 'checkout' } } as unknown as PreparedCatalog;

describe('the impact of a planned fleet', function () {
  this.timeout(30_000);

  it('asks nobody where no version changes', () => {
    const operators = [planned('1.2.0', '1.2.0'), planned(undefined, '2.0.0')];
    assert.deepEqual(upgradesIn(operators), []);
    assert.deepEqual(
      installedOf(operators).map(({ from }) => from),
      ['1.2.0'],
    );
  });

  it('asks the image of the version that comes, as the registry of the environment has it', async () => {
    const ca = await issueCa({ commonName: 'registry authority', days: 1 });
    const certificate = await issueLeaf(ca, {
      commonName: 'registry',
      ipAddresses: ['127.0.0.1'],
      usages: ['server'],
      days: 1,
    });
    const layer = await writeTar([{ name: 'app/controller.cjs', content: await packedOperator(CHANGES.argument) }]);
    await withImage(
      [layer],
      async (reference) => {
        const registry = new RegistryClient({ ca: ca.cert });
        const image = await pinImage(registry, formatReference(reference)).finally(() => registry.close());
        const upgrades = upgradesIn([planned('1.2.0', '1.3.1', image)]);
        const impacts = await fleetImpact(environmentWith(ca.cert), RELEASED, upgrades, clusterWith(served(STACK)));
        // What follows says how this machine isolates.
        assert.deepEqual(impacts.flatMap(describeOperatorImpact).slice(0, 1), [
          'Impact of v1, 1.2.0 -> 1.3.1: 1 InferenceStack: 0 unchanged, 0 change without a restart, 1 replaces pods (team-a/chat: llama, because its arguments change), 0 refused; 1 pod is replaced.',
        ]);
      },
      {},
      certificate,
    );
  });

  it('says why it does not know, and goes on', async () => {
    const upgrades = upgradesIn([
      planned('1.2.0', '1.3.1', 'registry.example/operator:1.3.1'),
      planned('2.0.0', '2.0.1'),
    ]);
    const impacts = await fleetImpact(environmentWith(), RELEASED, upgrades, clusterWith([]));
    assert.deepEqual(
      impacts.flatMap(describeOperatorImpact).map((line) => line.split('.').slice(0, 6).join('.')),
      ['Impact of v1, 1.2.0 -> 1.3.1: not known. v1', 'Impact of v2, 2.0.0 -> 2.0.1: not known. v2'],
    );
    for (const { unknown } of impacts) assert.match(unknown ?? '', /names no image of an operator by digest/);
    const [built] = await fleetImpact(environmentWith(), CHECKOUT, upgrades, clusterWith([]));
    assert.match(
      built?.unknown ?? '',
      /controller\/dist\/controller\.cjs: cannot be read \(ENOENT\)\. Build it: npm run build/,
    );
  });
});
