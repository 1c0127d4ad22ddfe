import assert from 'node:assert/strict';
import semver from 'semver';
import { describePlan } from '../../../../components/fleet/describe-plan.ts';
import type { Operator } from '../../../../components/fleet/operator.ts';
import { planFleet, type InstalledOperator } from '../../../../components/fleet/plan.ts';
import { objectAt } from '../../../../packages/lib/json.ts';
import { sampleCatalog } from '../../../support/olm/sample-catalog.ts';

const VERSIONS = ['0.9.0', '1.0.0', '1.1.0', '1.1.1', '1.2.0', '2.0.0'];

function plans(
  operators: readonly Operator[],
  installed: readonly string[] = [],
  deprecated: readonly string[] = [],
  versions = VERSIONS,
): readonly string[] {
  const catalog = { name: 'catalog', content: sampleCatalog(versions, deprecated) };
  return planFleet(operators, catalog, installed.map(inCluster)).map(describePlan);
}

function inCluster(text: string): InstalledOperator {
  const version = new semver.SemVer(text);
  const bundle = { name: `inference-stack-operator.v${text}`, version };
  return { extension: `inference-stack-operator-v${version.major}`, bundle };
}

/** An object of a bundle whose Deployment is called otherwise than ours are. */
function withManager<T extends { readonly type: string; readonly value: unknown }>(property: T): T {
  if (property.type !== 'olm.bundle.object') return property;
  const { data } = property.value as { data: string };
  const text = Buffer.from(data, 'base64').toString();
  const renamed = text.replace(/("deployments":\[\{(?:"label":\{[^}]*\},)?"name":)"[^"]+"/, '$1"manager"');
  return { ...property, value: { data: Buffer.from(renamed).toString('base64') } };
}

describe('the plan of a fleet', () => {
  it('installs the newest version of each major', () => {
    const operators = [
      { major: 1, channel: 'stable' },
      { major: 2, channel: 'fast' },
    ] as const;
    assert.deepEqual(plans(operators), ['v1: 1.2.0 (stable-v1, new)', 'v2: 2.0.0 (fast-v2, new)']);
  });

  it('knows the Deployments that a bundle states, and by our own bundles’ name where the catalog holds no objects', () => {
    const content = sampleCatalog(['1.0.0']);
    const deployments = (bundles: typeof content.bundles): unknown =>
      planFleet([{ major: 1, channel: 'stable' }], { name: 'catalog', content: { ...content, bundles } }).map(
        ({ plan }) => plan.deployments,
      );
    const summary = content.bundles.map((bundle) => ({
      ...bundle,
      properties: bundle.properties.filter(({ type }) => type !== 'olm.bundle.object'),
    }));
    const renamed = content.bundles.map((bundle) => ({ ...bundle, properties: bundle.properties.map(withManager) }));
    assert.deepEqual(deployments(content.bundles), [['inference-stack-operator-v1']]);
    assert.deepEqual(deployments(summary), [['inference-stack-operator-v1']]);
    assert.deepEqual(deployments(renamed), [['manager']]);
  });

  it('keeps with each operator what is asked for, and the bundles that OLM handles on the way', () => {
    const operators = [
      { major: 2, channel: 'fast' },
      { major: 1, channel: 'stable', version: '1.1.x' },
    ] as const;
    const catalog = { name: 'catalog', content: sampleCatalog(VERSIONS) };
    const planned = planFleet(operators, catalog, [inCluster('1.0.0')]);
    assert.deepEqual(
      planned.map(({ operator, filter, bundles }) => [operator, filter.channels, bundles.map(({ name }) => name)]),
      [
        [operators[0], ['fast-v2'], ['inference-stack-operator.v2.0.0']],
        [operators[1], ['stable-v1'], ['inference-stack-operator.v1.0.0', 'inference-stack-operator.v1.1.1']],
      ],
    );
    const deployments = planned.map(({ objects }) => objects.filter(({ kind }) => kind === 'Deployment').length);
    assert.deepEqual(deployments, [1, 2]);
  });

  it('expects the version as OLM reports it, with the build metadata of catalogs that others make', () => {
    const content = sampleCatalog(['1.0.0']);
    const bundles = content.bundles.map((bundle) => ({
      ...bundle,
      properties: bundle.properties.map((property) =>
        property.type === 'olm.package'
          ? { ...property, value: { ...objectAt(property.value), version: '1.0.0+b7' } }
          : property,
      ),
    }));
    const catalog = { name: 'catalog', content: { ...content, bundles } };
    const name = 'inference-stack-operator.v1.0.0';
    const version = new semver.SemVer('1.0.0+b7');
    const installed = [{ extension: 'inference-stack-operator-v1', bundle: { name, version } }];
    const [planned] = planFleet([{ major: 1, channel: 'stable' }], catalog, installed);
    assert.deepEqual([planned?.plan.from, planned?.plan.to], ['1.0.0+b7', '1.0.0+b7']);
  });

  it('stays inside a range', () => {
    assert.deepEqual(plans([{ major: 1, channel: 'stable', version: '1.1.x' }]), ['v1: 1.1.1 (stable-v1, new)']);
  });

  it('says from where, by which edge and what is skipped', () => {
    assert.deepEqual(plans([{ major: 1, channel: 'stable' }], ['1.0.0']), [
      'v1: 1.0.0 -> 1.2.0 (stable-v1, replaces it by skips, skips 1.1.0, 1.1.1)',
    ]);
    assert.deepEqual(plans([{ major: 1, channel: 'stable' }], ['1.1.1']), [
      'v1: 1.1.1 -> 1.2.0 (stable-v1, replaces it)',
    ]);
  });

  it('stays where it is when nothing is newer', () => {
    assert.deepEqual(plans([{ major: 1, channel: 'stable' }], ['1.2.0']), ['v1: 1.2.0 (stable-v1, installed)']);
  });

  it('shows the deprecation of what it must install', () => {
    const operator = { major: 1, channel: 'stable', version: '1.0.0' } as const;
    assert.deepEqual(plans([operator], [], ['1.0.0']), [
      'v1: 1.0.0 (stable-v1, new, deprecated: 1.0.0 loses requests)',
    ]);
  });

  it('stays on a deprecated version until a rollback is declared, and says so', () => {
    const stays = { major: 1, channel: 'stable' } as const;
    assert.deepEqual(plans([stays], ['1.2.0'], ['1.2.0']), [
      'v1: 1.2.0 (stable-v1, installed, deprecated: 1.2.0 loses requests)',
    ]);
    assert.deepEqual(plans([{ ...stays, rollbackTo: '1.1.1' }], ['1.2.0'], ['1.2.0']), [
      'v1: 1.2.0 -> 1.1.1 (stable-v1, rollback, outside the upgrade graph)',
    ]);
    assert.deepEqual(plans([stays], ['1.1.1'], ['1.2.0']), ['v1: 1.1.1 (stable-v1, installed)']);
  });

  it('avoids a deprecated version where another one will do', () => {
    assert.deepEqual(plans([{ major: 1, channel: 'stable' }], [], ['1.2.0']), ['v1: 1.1.1 (stable-v1, new)']);
  });

  it('goes back when a rollback is declared', () => {
    const operator = { major: 1, channel: 'stable', rollbackTo: '1.1.1' } as const;
    assert.deepEqual(plans([operator], ['1.2.0']), [
      'v1: 1.2.0 -> 1.1.1 (stable-v1, rollback, outside the upgrade graph)',
    ]);
  });

  it('refuses a downgrade that is not declared', () => {
    assert.throws(() => plans([{ major: 1, channel: 'stable', version: '1.0.x' }], ['1.2.0']), {
      message:
        'operators[0]: cannot be resolved: error upgrading from currently installed version "1.2.0": no bundles found for package "inference-stack-operator" matching version "1.0.x" in channels [stable-v1]. stable-v1 has 1.0.0, 1.1.0, 1.1.1, 1.2.0, and no upgrade leads from 1.2.0 to 1.0.x. To go back, set rollbackTo.',
    });
  });

  it('names the channels of the major when the chosen one has nothing, installed or not', () => {
    const operators = [{ major: 1, channel: 'candidate' }] as const;
    const remedy =
      /\. candidate-v1 has no version\. Channels of v1: stable-v1 has 1\.0\.0, 1\.1\.0, 1\.1\.1, 1\.2\.0; fast-v1 has 1\.0\.0, 1\.1\.0, 1\.1\.1, 1\.2\.0\.$/;
    assert.throws(() => plans(operators), remedy);
    assert.throws(() => plans(operators, ['1.1.0']), remedy);
  });

  it('names the newest of many versions', () => {
    const many = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0', '1.6.0'];
    assert.throws(
      () => plans([{ major: 1, channel: 'stable', version: '9.x' }], [], [], many),
      /: stable-v1 has 1\.2\.0, 1\.3\.0, 1\.4\.0, 1\.5\.0, 1\.6\.0 and 2 older\.$/,
    );
  });

  it('does not blame the upgrades when only the version is wrong', () => {
    for (const version of ['1.5.0', 'abc']) {
      assert.throws(
        () => plans([{ major: 1, channel: 'stable', version }], ['1.0.0']),
        /\. Choose from what the catalog offers: stable-v1 has 1\.0\.0, 1\.1\.0, 1\.1\.1, 1\.2\.0\.$/,
        version,
      );
    }
  });

  it('advises a rollback only to whoever could go back and has not said so', () => {
    assert.throws(
      () => plans([{ major: 1, channel: 'stable' }], ['1.0.5'], [], ['1.1.0']),
      /stable-v1 has 1\.1\.0, and no upgrade leads there from 1\.0\.5\.$/,
    );
    assert.throws(
      () => plans([{ major: 1, channel: 'stable', rollbackTo: '1.0.5' }], ['1.2.0']),
      /\. Choose from what the catalog offers: stable-v1 has 1\.0\.0, 1\.1\.0, 1\.1\.1, 1\.2\.0\.$/,
    );
  });

  it('refuses a major that the catalog does not have, with every other problem', () => {
    const operators = [
      { major: 3, channel: 'stable' },
      { major: 1, channel: 'fast', version: '9.x' },
    ] as const;
    assert.throws(() => plans(operators), {
      message: [
        'operators[0]: cannot be resolved: no bundles found for package "inference-stack-operator" in channels [stable-v3]. stable-v3 has no version. No channel has a version of v3: the catalog has v0, v1, v2.',
        'operators[1]: cannot be resolved: no bundles found for package "inference-stack-operator" matching version "9.x" in channels [fast-v1]. Choose from what the catalog offers: fast-v1 has 1.0.0, 1.1.0, 1.1.1, 1.2.0.',
      ].join('\n'),
    });
  });
});
