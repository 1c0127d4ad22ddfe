import assert from 'node:assert/strict';
import fc from 'fast-check';
import yaml from 'js-yaml';
import { pullBundles } from '../../../../components/catalog/pull-bundles.ts';
import { parseDeprecations } from '../../../../components/catalog/deprecations.ts';
import { renderReleased } from '../../../../components/catalog/release.ts';
import { renderCatalog } from '../../../../components/catalog/render.ts';
import { parseTemplate, templateImages } from '../../../../components/catalog/template.ts';
import { withdrawVersion } from '../../../../components/catalog/withdraw.ts';
import { writeCatalog } from '../../../../components/catalog/write.ts';
import type { OutputFormat } from '../../../../components/catalog/write.ts';
import { ProblemsError } from '../../../../packages/lib/problem.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { Opm } from '../../../support/olm/opm.ts';
import { releasedState } from '../../../support/olm/released-state.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';
import { semverTemplates, VERSION_POOL } from '../../../support/olm/semver-templates.ts';
import { tinyBundleFiles } from '../../../support/olm/tiny-bundle.ts';
import type { TinyBundle } from '../../../support/olm/tiny-bundle.ts';

const TEMPLATES = 200;

describe('catalogs, judged by opm', function () {
  this.timeout(15 * 60_000);
  const client = new RegistryClient({ plainHttp: true });
  let server: RegistryServer;
  let opm: Opm;

  const image = (version: string, repository = 'tiny'): string =>
    `${server.host}/${repository}:${version.replace('+', '_')}`;

  async function push(name: string, bundle: TinyBundle): Promise<void> {
    const labels = { 'operators.operatorframework.io.bundle.package.v1': bundle.packageName ?? 'tiny' };
    await pushImage(name, { files: tinyBundleFiles(bundle), labels });
  }

  async function render(text: string, format: OutputFormat): Promise<string> {
    const template = parseTemplate(text, 'template.yaml');
    const pulled = await pullBundles(client, templateImages(template));
    const bundles = new Map([...pulled].map(([name, { bundle }]) => [name, bundle]));
    return writeCatalog(renderCatalog({ template, bundles, file: 'template.yaml' }), format);
  }

  before(async () => {
    server = await RegistryServer.start();
    opm = await Opm.prepare();
    for (const version of VERSION_POOL) await push(image(version), { version });
    for (const version of ['1.0.0+a', '1.0.0+b']) await push(image(version), { version });
    await push(image('1.0.1', 'other'), { version: '1.0.1', packageName: 'other' });
    await push(image('1.0.1', 'renamed'), { version: '1.0.1', name: 'renamed.v1.0.1' });
    await push(image('latest'), { version: 'latest' });
    await pushImage(image('1.0.1', 'unlabelled'), { files: tinyBundleFiles({ version: '1.0.1' }), labels: {} });
  });

  after(async () => {
    client.close();
    await opm.remove();
    await server.stop();
  });

  it(`render byte for byte what opm renders from ${TEMPLATES} generated templates, and opm accepts them`, async () => {
    const templates = fc.sample(semverTemplates(image), { numRuns: TEMPLATES, seed: 20260101 });
    assert.equal(Math.max(...templates.map((text) => new Set(text.match(/tiny:[^"]+/g)).size)), 60);
    for (const text of templates) {
      const [ours, theirs] = await Promise.all([render(text, 'json'), opm.renderSemver(text, 'json')]);
      assert.equal(theirs.code, 0, `${text}\n${theirs.stderr}`);
      assert.equal(ours, theirs.stdout, text);
      const verdict = await opm.validate(ours);
      assert.equal(verdict.code, 0, `${text}\n${verdict.stderr}`);
    }
  });

  it('mean the same as YAML, and draw the same graph', async () => {
    for (const text of fc.sample(semverTemplates(image), { numRuns: 8, seed: 7 })) {
      assert.deepEqual(
        yaml.loadAll(await render(text, 'yaml')),
        yaml.loadAll((await opm.renderSemver(text, 'yaml')).stdout),
        text,
      );
      assert.equal(await render(text, 'mermaid'), (await opm.renderSemver(text, 'mermaid')).stdout, text);
    }
  });

  it('keep withdrawn versions, whose deprecations opm accepts, reads and draws as they are rendered', async () => {
    const state = releasedState({
      '1.0.0': ['Fast', 'Stable'],
      '1.0.1': ['Fast', 'Stable'],
      '1.1.0': ['Fast'],
      '2.0.0-rc.1': ['Candidate'],
    });
    let text = '';
    const versions = ['1.0.0', '1.0.1', '2.0.0-rc.1', '1.1.0'];
    for (const [index, version] of versions.entries()) {
      const reason = `It's <not> & "good": ${version} é`;
      ({ text } = withdrawVersion(state, { text, file: 'deprecations.yaml' }, { version, reason }));
      const catalog = renderReleased(state, parseDeprecations(text, 'deprecations.yaml'));
      const rendered = writeCatalog(catalog, 'json');
      assert.equal(catalog.deprecations?.entries.length, index + 1);
      assert.equal(catalog.bundles.length, versions.length);
      const verdict = await opm.validate(rendered);
      assert.equal(verdict.code, 0, verdict.stderr);
      assert.equal((await opm.render(rendered)).stdout, rendered);
      assert.equal((await opm.renderGraph(rendered)).stdout, writeCatalog(catalog, 'mermaid'));
    }
  });

  const list = (...images: string[]): string => JSON.stringify(images.map((name) => ({ Image: name })));
  const refused: [string, () => string][] = [
    ['no bundles', () => 'Schema: olm.semver'],
    ['another schema', () => `Schema: olm.semver2\nFast: {Bundles: ${list(image('1.0.1'))}}`],
    ['an unknown key', () => `Schema: olm.semver\nSlow: {Bundles: ${list(image('1.0.1'))}}`],
    [
      'a preference for channels that it does not make',
      () => `Schema: olm.semver\nDefaultChannelTypePreference: major`,
    ],
    ['an unknown preference', () => `Schema: olm.semver\nDefaultChannelTypePreference: patch`],
    ['a flag that is no flag', () => `Schema: olm.semver\nGenerateMajorChannels: sometimes`],
    [
      'a bundle twice in a stream',
      () => `Schema: olm.semver\nFast: {Bundles: ${list(image('1.0.1'), image('1.0.1'))}}`,
    ],
    [
      'versions that differ only in build metadata',
      () => `Schema: olm.semver\nFast: {Bundles: ${list(image('1.0.0+a'), image('1.0.0+b'))}}`,
    ],
    ['two packages', () => `Schema: olm.semver\nFast: {Bundles: ${list(image('1.0.2'), image('1.0.1', 'other'))}}`],
    [
      'two bundles of one version',
      () =>
        `Schema: olm.semver\nFast: {Bundles: ${list(image('1.0.1'))}}\nStable: {Bundles: ${list(image('1.0.1', 'renamed'))}}`,
    ],
    ['a version that is none', () => `Schema: olm.semver\nFast: {Bundles: ${list(image('latest'))}}`],
    ['an image that does not exist', () => `Schema: olm.semver\nFast: {Bundles: ${list(image('9.9.9'))}}`],
    ['an image that is no bundle', () => `Schema: olm.semver\nFast: {Bundles: ${list(image('1.0.1', 'unlabelled'))}}`],
  ];
  for (const [what, template] of refused) {
    it(`are refused by both for ${what}`, async () => {
      await assert.rejects(render(template(), 'json'), ProblemsError);
      const rendered = await opm.renderSemver(template(), 'json');
      const verdict = rendered.code === 0 ? await opm.validate(rendered.stdout) : rendered;
      assert.equal(verdict.code, 1);
    });
  }
});
