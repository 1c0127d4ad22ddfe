import assert from 'node:assert/strict';
import { resolve } from '../../../../components/catalog/resolve.ts';
import type { CatalogFilter, PackageContent, ServedCatalog } from '../../../../components/catalog/served-catalog.ts';
import type { InstalledBundle } from '../../../../components/catalog/successors.ts';
import { recordedResolutions } from './recorded-resolutions.ts';
import { parseVersion } from '../../../../components/catalog/version.ts';

const PACKAGE = 'inference-stack-operator';

function bundle(version: string): PackageContent['bundles'][number] {
  return {
    name: `${PACKAGE}.v${version}`,
    image: `registry.example.com/operator-bundle:${version}`,
    properties: [{ type: 'olm.package', value: { packageName: PACKAGE, version } }],
  };
}

const content: PackageContent = {
  package: { name: PACKAGE },
  bundles: ['1.0.0', '1.1.0', '1.1.1', '1.2.0', '2.0.0'].map(bundle),
  channels: [
    {
      name: 'stable-v1',
      entries: [
        { name: `${PACKAGE}.v1.0.0` },
        { name: `${PACKAGE}.v1.1.0` },
        { name: `${PACKAGE}.v1.1.1`, replaces: `${PACKAGE}.v1.0.0`, skips: [`${PACKAGE}.v1.1.0`] },
      ],
    },
    { name: 'fast-v1', entries: [{ name: `${PACKAGE}.v1.2.0`, skipRange: '>=1.1.0 <1.2.0' }] },
    { name: 'stable-v2', entries: [{ name: `${PACKAGE}.v2.0.0` }] },
  ],
};

function installed(version: string): InstalledBundle {
  const parsed = parseVersion(version);
  assert.ok(parsed);
  return { name: `${PACKAGE}.v${version}`, version: parsed };
}

function ask(filter: Partial<CatalogFilter>, from?: string, catalogs?: readonly ServedCatalog[]): string {
  const served = catalogs ?? [{ name: 'fleet', packages: [content] }];
  const resolution = resolve(
    { packageName: PACKAGE, ...filter },
    served,
    from === undefined ? undefined : installed(from),
  );
  return resolution.outcome === 'resolved'
    ? `${resolution.version.version} by ${resolution.edge} from ${resolution.catalog}`
    : resolution.reason;
}

/** OLM's message without what wraps it, and without the reader's own words on what is wrong with a range. */
function coreOf(error: string): string {
  return error
    .replace(/^error walking catalogs: /, '')
    .replace(/(desired version range ".*" is invalid): .*/, '$1')
    .replace(/(resolved bundle version for bundle ".*"): .*/, '$1');
}

describe('resolving an extension', () => {
  it('gives what OLM itself gives, and its reason where it gives nothing', async () => {
    const cases = await recordedResolutions();
    const differences = cases.flatMap(({ filter, catalogs, installed: from, recorded }) => {
      const ours = resolve(filter, catalogs, from);
      const [expected, actual] =
        'error' in recorded
          ? [coreOf(recorded.error), ours.outcome === 'unresolved' ? ours.reason : ours.image]
          : [recorded.image, ours.outcome === 'resolved' ? ours.image : ours.reason];
      return expected === actual ? [] : [{ filter, from, expected, actual }];
    });
    assert.deepEqual(differences, []);
    assert.ok(cases.length > 500, `only ${cases.length} cases were recorded`);
  });

  it('installs the highest version of the channel', () => {
    assert.equal(ask({ channels: ['stable-v1'] }), '1.1.1 by install from fleet');
  });

  it('takes the highest of all majors when no channel is named', () => {
    assert.equal(ask({}), '2.0.0 by install from fleet');
  });

  it('names the edge that leads from the installed version', () => {
    assert.equal(ask({ channels: ['stable-v1'] }, '1.0.0'), '1.1.1 by replaces from fleet');
    assert.equal(ask({ channels: ['stable-v1'] }, '1.1.0'), '1.1.1 by skips from fleet');
    assert.equal(ask({ channels: ['fast-v1'] }, '1.1.1'), '1.2.0 by skipRange from fleet');
    assert.equal(ask({ channels: ['stable-v1'] }, '1.1.1'), '1.1.1 by current from fleet');
    assert.equal(
      ask({ channels: ['stable-v2'], upgradeConstraintPolicy: 'SelfCertified' }, '1.1.1'),
      '2.0.0 by self-certified from fleet',
    );
  });

  it('follows only the edges of the channels that are named', () => {
    assert.equal(
      ask({ channels: ['stable-v1'] }, '1.2.0'),
      'error upgrading from currently installed version "1.2.0": no bundles found for package "inference-stack-operator" in channels [stable-v1]',
    );
  });

  it('is refused for a range that is none', () => {
    assert.equal(ask({ version: 'latest' }), 'desired version range "latest" is invalid');
  });

  it('fails when a selected catalog does, and does not care for others', () => {
    const catalogs = [
      { name: 'fleet', packages: [content] },
      { name: 'foreign', packages: [], failure: 'catalog "foreign" is not being served' },
    ];
    const selector = { matchLabels: { 'olm.operatorframework.io/metadata.name': 'fleet' } };
    assert.equal(
      ask({}, undefined, catalogs),
      'error getting package "inference-stack-operator" from catalog "foreign": catalog "foreign" is not being served',
    );
    assert.equal(ask({ selector }, undefined, catalogs), '2.0.0 by install from fleet');
  });

  it('is ambiguous between catalogs of one priority, and goes to the higher of two', () => {
    const other = { name: 'mirror', packages: [content] };
    assert.equal(
      ask({}, undefined, [{ name: 'fleet', packages: [content] }, other]),
      'found bundles for package "inference-stack-operator" in multiple catalogs with the same priority [fleet mirror]',
    );
    assert.equal(
      ask({}, undefined, [
        { name: 'fleet', packages: [content] },
        { ...other, priority: 1 },
      ]),
      '2.0.0 by install from mirror',
    );
  });
});
