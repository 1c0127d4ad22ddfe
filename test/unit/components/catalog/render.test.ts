import assert from 'node:assert/strict';
import { bundleObjects, bundleVersion, packageProperty } from '../../../../components/catalog/fbc.ts';
import type { Catalog, FbcBundle } from '../../../../components/catalog/fbc.ts';
import { renderCatalog } from '../../../../components/catalog/render.ts';
import { parseTemplate } from '../../../../components/catalog/template.ts';
import { writeCatalog } from '../../../../components/catalog/write.ts';
import { tinyBundle } from '../../../support/olm/tiny-bundle.ts';
import type { TinyBundle } from '../../../support/olm/tiny-bundle.ts';

type Streams = Partial<Record<'Candidate' | 'Fast' | 'Stable', (string | TinyBundle)[]>>;

/** Renders the streams' versions; a bundle's image is named after its name and version. */
function render(streams: Streams, settings = 'GenerateMajorChannels: true'): Catalog {
  const bundles = new Map<string, FbcBundle>();
  const lines = Object.entries(streams).map(([stream, entries]) => {
    const images = entries.map((entry) => {
      const bundle = typeof entry === 'string' ? { version: entry } : entry;
      const tag = bundle.version.replace('+', '_');
      const image = `example.com/${bundle.name ?? bundle.packageName ?? 'tiny'}:${tag}`;
      if (!bundles.has(image)) bundles.set(image, tinyBundle(image, bundle));
      return `{Image: '${image}'}`;
    });
    return `${stream}: {Bundles: [${images.join(', ')}]}`;
  });
  const template = parseTemplate(['Schema: olm.semver', settings, ...lines].join('\n'), 'catalog.yaml');
  return renderCatalog({ template, bundles, file: 'catalog.yaml' });
}

function edges(catalog: Catalog): Record<string, string[]> {
  return Object.fromEntries(
    catalog.channels.map(({ name, entries }) => [
      name,
      entries.map((entry) =>
        [entry.name, entry.replaces ?? '-', ...(entry.skips ?? [])].map((n) => n.replace('tiny.v', '')).join(' '),
      ),
    ]),
  );
}

describe('rendering a catalog', () => {
  it('gives each major a channel in which newest patches replace one another and skip the rest', () => {
    const catalog = render({ Stable: ['1.1.0', '0.1.0', '1.0.0', '1.0.1', '1.1.1', '1.2.0'] });
    assert.deepEqual(edges(catalog), {
      'stable-v0': ['0.1.0 -'],
      'stable-v1': ['1.0.0 -', '1.0.1 - 1.0.0', '1.1.0 -', '1.1.1 1.0.1 1.0.0 1.1.0', '1.2.0 1.1.1 1.0.0 1.0.1 1.1.0'],
    });
    assert.equal(catalog.package.defaultChannel, 'stable-v1');
  });

  it('lets the head of a minor channel replace the head of the one before', () => {
    const catalog = render({ Fast: ['1.0.0', '1.1.0', '1.1.1'] }, 'GenerateMinorChannels: true');
    assert.deepEqual(edges(catalog), { 'fast-v1.0': ['1.0.0 -'], 'fast-v1.1': ['1.1.0 -', '1.1.1 1.0.0 1.1.0'] });
  });

  it('orders pre-releases before the release that they prepare', () => {
    const catalog = render({ Candidate: ['1.0.0', '1.0.0-rc.10', '1.0.0-rc.2'] });
    assert.deepEqual(edges(catalog), {
      'candidate-v1': ['1.0.0-rc.2 -', '1.0.0-rc.10 -', '1.0.0 - 1.0.0-rc.10 1.0.0-rc.2'],
    });
  });

  it('chooses the default channel by stream, then by version, then by preference', () => {
    assert.equal(render({ Candidate: ['3.0.0'], Stable: ['1.0.0'] }).package.defaultChannel, 'stable-v1');
    const both = 'GenerateMajorChannels: true\nGenerateMinorChannels: true\nDefaultChannelTypePreference: major';
    assert.equal(render({ Stable: ['1.0.0'] }, both).package.defaultChannel, 'stable-v1');
    assert.equal(render({ Stable: ['1.0.0', '1.1.0'] }, both).package.defaultChannel, 'stable-v1.1');
  });

  it('takes icon and description of the package from the newest bundle of the default channel', () => {
    const { description, icon } = render({ Stable: ['1.0.0', '1.1.0'], Fast: ['2.0.0'] }).package;
    assert.equal(description, 'A tiny operator. Version 1.1.0.');
    assert.equal(Buffer.from(icon?.base64data ?? '', 'base64').toString(), '<svg>1.1.0</svg>');
  });

  it('is the same whatever the order of the template', () => {
    const versions = ['1.0.0', '0.2.1', '1.1.0-rc.1', '2.0.0'];
    assert.equal(
      writeCatalog(render({ Stable: versions }), 'json'),
      writeCatalog(render({ Stable: versions.toReversed() }), 'json'),
    );
  });

  const refused: [string, Streams, RegExp][] = [
    [
      'nothing',
      {},
      /^catalog.yaml: Stable.Bundles: the template lists no bundles\. Add the first one with `fleet catalog add`/,
    ],
    ['a bundle twice', { Fast: ['1.0.0', '1.0.0'] }, /Fast lists tiny\.v1\.0\.0 twice: example\.com\/tiny:1\.0\.0 and/],
    [
      'versions that differ only in build metadata',
      { Fast: ['1.0.0+a', '1.0.0+b'] },
      /Fast lists versions of 1\.0\.0 that cannot be ordered, .*: example\.com\/tiny:1\.0\.0_a and example\.com\/tiny:1\.0\.0_b\. Release a new patch/,
    ],
    [
      'two packages',
      { Fast: ['1.0.0'], Stable: [{ version: '1.1.0', packageName: 'other' }] },
      /more than one package: tiny \(example\.com\/tiny:1\.0\.0\) and other \(example\.com\/other:1\.1\.0\)/,
    ],
    [
      'two bundles of one version',
      { Fast: ['1.0.0'], Stable: [{ version: '1.0.0', name: 'renamed.v1' }] },
      /two bundles have version 1\.0\.0: example\.com\/tiny:1\.0\.0 and example\.com\/renamed\.v1:1\.0\.0/,
    ],
    [
      'a version that is none',
      { Fast: [{ version: 'v1' }] },
      /Fast\.Bundles\[0\]\.Image: is bundle tiny\.vv1, whose version is not a semantic version: v1 \(got "example\.com\/tiny:v1"\)/,
    ],
  ];
  for (const [what, streams, message] of refused) {
    it(`is refused for ${what}`, () => assert.throws(() => render(streams), { message }));
  }

  it('is refused when a bundle was not read, naming the entry', () => {
    const template = parseTemplate('Schema: olm.semver\nFast: {Bundles: [{Image: example.com/a:1}]}', 'c.yaml');
    assert.throws(() => renderCatalog({ template, bundles: new Map(), file: 'c.yaml' }), {
      message:
        'c.yaml: Fast.Bundles[0].Image: was not read (got "example.com/a:1"). Push the bundle image, or correct its name.',
    });
  });
});

describe('a bundle in a catalog', () => {
  const bundle = tinyBundle('example.com/tiny:1', { version: '1.0.0' });

  it('states its package and version, and carries its objects', () => {
    assert.deepEqual(packageProperty(bundle), { packageName: 'tiny', version: '1.0.0' });
    assert.equal(bundleVersion(bundle)?.version, '1.0.0');
    assert.deepEqual(
      bundleObjects(bundle).map(({ kind }) => kind),
      ['ClusterServiceVersion'],
    );
  });

  it('names itself and what it runs as related images', () => {
    assert.deepEqual(bundle.relatedImages, [
      { name: '', image: 'example.com/tiny:1' },
      { name: '', image: 'registry.example.com/tiny:1.0.0' },
    ]);
  });
});
