import assert from 'node:assert/strict';
import { parseDeprecations } from '../../../../components/catalog/deprecations.ts';
import { renderCatalog } from '../../../../components/catalog/render.ts';
import { parseTemplate } from '../../../../components/catalog/template.ts';
import { writeCatalog } from '../../../../components/catalog/write.ts';
import { tinyBundle } from '../../../support/olm/tiny-bundle.ts';

const HEADER = 'schema: olm.deprecations\npackage: tiny\nentries:\n';

function render(deprecations: string, format: 'json' | 'mermaid' = 'json'): string {
  const images = ['1.0.0', '1.0.1'].map((version) => [`example.com/tiny:${version}`, version] as const);
  const list = images.map(([image]) => `{Image: '${image}'}`).join(', ');
  const template = parseTemplate(
    `Schema: olm.semver\nGenerateMajorChannels: true\nStable: {Bundles: [${list}]}`,
    'catalog.yaml',
  );
  const parsed = parseDeprecations(deprecations, 'deprecations.yaml');
  const catalog = renderCatalog({
    template,
    file: 'catalog.yaml',
    bundles: new Map(images.map(([image, version]) => [image, tinyBundle(image, { version })])),
    ...(parsed === undefined ? {} : { deprecations: parsed }),
  });
  return writeCatalog(catalog, format);
}

describe('deprecations', () => {
  it('are part of the catalog and of its graph', () => {
    const text = `${HEADER}- {reference: {schema: olm.bundle, name: tiny.v1.0.1}, message: use 1.0.2}
- {reference: {schema: olm.channel, name: stable-v1}, message: use v2}
- {reference: {schema: olm.package}, message: use other}\n`;
    assert.match(render(text), /"schema": "olm\.deprecations",\n {4}"package": "tiny"/);
    const chart = render(text, 'mermaid');
    assert.match(chart, /^style tiny fill:#989695$/m);
    assert.match(chart, /^style tiny-stable-v1 fill:#DCD0FF$/m);
    assert.match(chart, /^class tiny-stable-v1-tiny\.v1\.0\.1 deprecated$/m);
    assert.match(chart, /^class tiny-stable-v1-tiny\.v1\.0\.0 skipped$/m);
  });

  it('are none in a file of comments', () => assert.ok(!render('# nothing yet\n').includes('olm.deprecations')));

  const refused: [string, string, RegExp][] = [
    [
      'something that is not in the catalog',
      `${HEADER}- {reference: {schema: olm.bundle, name: tiny.v9.0.0}, message: x}`,
      /entries\[0\]\.reference: is not in the catalog \(got "tiny\.v9\.0\.0"\)\. Use one of: tiny\.v1\.0\.0, tiny\.v1\.0\.1\./,
    ],
    [
      'silence',
      `${HEADER}- {reference: {schema: olm.package}}`,
      /entries\[0\]\.message: must not be empty\. Tell users what to use instead\./,
    ],
    [
      'an unknown kind',
      `${HEADER}- {reference: {schema: olm.x}, message: x}`,
      /cannot be deprecated \(got "olm\.x"\)\. Use olm\.package/,
    ],
    [
      'one thing twice',
      `${HEADER}- {reference: {schema: olm.package}, message: x}\n- {reference: {schema: olm.package}, message: y}`,
      /entries\[1\]\.reference: is deprecated twice/,
    ],
    [
      'another package',
      'schema: olm.deprecations\npackage: other\n',
      /package: is not in the catalog \(got "other"\)\. Use tiny\./,
    ],
    ['another document', 'schema: olm.package\npackage: tiny\n', /is not an olm\.deprecations document/],
  ];
  for (const [what, text, message] of refused) {
    it(`are refused for ${what}`, () => assert.throws(() => render(text), { message }));
  }
});
