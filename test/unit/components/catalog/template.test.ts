import assert from 'node:assert/strict';
import { parseTemplate, templateImages } from '../../../../components/catalog/template.ts';

const IMAGE = 'docker.io/tytn/operator-bundle:0.1.0';

describe('an olm.semver template', () => {
  it('is read in the form that operator people write', () => {
    const template = parseTemplate(
      `# a comment
Schema: olm.semver
GenerateMajorChannels: true
GenerateMinorChannels: false
Stable:
  Bundles:
  - Image: ${IMAGE}
Fast:
  Bundles:
  - Image: ${IMAGE}
  - Image: docker.io/tytn/operator-bundle:0.2.0
`,
      'catalog.yaml',
    );
    assert.deepEqual(template, {
      generateMajorChannels: true,
      generateMinorChannels: false,
      defaultChannelTypePreference: 'major',
      images: { Candidate: [], Fast: [IMAGE, 'docker.io/tytn/operator-bundle:0.2.0'], Stable: [IMAGE] },
    });
    assert.deepEqual(templateImages(template), [IMAGE, 'docker.io/tytn/operator-bundle:0.2.0']);
  });

  it('may write its keys in any case', () => {
    const text = `schema: olm.semver\ngenerateMajorChannels: true\nSTABLE: {bundles: [{image: '${IMAGE}'}]}\n`;
    assert.deepEqual(parseTemplate(text, 'catalog.yaml').images.Stable, [IMAGE]);
  });

  it('makes minor channels when it asks for none, and prefers them when it makes both', () => {
    const neither = parseTemplate('Schema: olm.semver', 'catalog.yaml');
    assert.deepEqual([neither.generateMajorChannels, neither.generateMinorChannels], [false, true]);
    const both = 'Schema: olm.semver\nGenerateMajorChannels: true\nGenerateMinorChannels: true\n';
    assert.equal(parseTemplate(both, 'catalog.yaml').defaultChannelTypePreference, 'minor');
    assert.equal(
      parseTemplate(`${both}DefaultChannelTypePreference: major\n`, 'c').defaultChannelTypePreference,
      'major',
    );
  });

  const refused: [string, string, string][] = [
    [
      'another schema',
      'Schema: olm.package',
      'catalog.yaml: Schema: must be olm.semver. Begin with: Schema: olm.semver',
    ],
    [
      'an unknown field',
      'Schema: olm.semver\nStabel: {}',
      'catalog.yaml: Stabel: is not a field of an olm.semver template (got {}). Remove it, or correct its spelling.',
    ],
    [
      'a field given twice in two cases',
      'Schema: olm.semver\nschema: olm.semver',
      'catalog.yaml: schema: is given twice (got "olm.semver"). Keep one of the two.',
    ],
    [
      'a flag that is no flag',
      'Schema: olm.semver\nGenerateMajorChannels: maybe',
      'catalog.yaml: GenerateMajorChannels: must be true or false (got "maybe")',
    ],
    [
      'an unknown preference',
      'Schema: olm.semver\nDefaultChannelTypePreference: patch',
      'catalog.yaml: DefaultChannelTypePreference: is not a channel type (got "patch"). Use major or minor, or leave it out.',
    ],
    [
      'a preference for channels that are not made',
      'Schema: olm.semver\nDefaultChannelTypePreference: major',
      'catalog.yaml: DefaultChannelTypePreference: prefers channels that are not generated (got "major"). Set GenerateMajorChannels: true, or leave it out.',
    ],
    [
      'a name that is not canonical',
      'Schema: olm.semver\nFast: {Bundles: [{Image: tytn/operator-bundle:1.0.0}]}',
      'catalog.yaml: Fast.Bundles[0].Image: is not a canonical image name (got "tytn/operator-bundle:1.0.0"). Write registry host, path and tag or digest, e.g. registry.example.com/fleet/operator-bundle:3.0.0.',
    ],
    [
      'an entry without an image',
      'Schema: olm.semver\nFast: {Bundles: [{}]}',
      'catalog.yaml: Fast.Bundles[0].Image: must name a bundle image. Write e.g. Image: registry.example.com/fleet/operator-bundle:3.0.0',
    ],
    [
      'a stream that is no mapping',
      'Schema: olm.semver\nFast: [x]',
      'catalog.yaml: Fast: must be a mapping (got ["x"])',
    ],
    [
      'bundles that are no list',
      'Schema: olm.semver\nFast: {Bundles: x}',
      'catalog.yaml: Fast.Bundles: must be a list (got "x")',
    ],
  ];
  for (const [what, text, message] of refused) {
    it(`is refused for ${what}`, () => {
      assert.throws(() => parseTemplate(text, 'catalog.yaml'), { message });
    });
  }

  it('is refused when it is not YAML, with the place', () => {
    assert.throws(
      () => parseTemplate('Schema: [', 'catalog.yaml'),
      /^ProblemsError: catalog.yaml: is not valid YAML: line 2, column 1: /,
    );
  });
});
