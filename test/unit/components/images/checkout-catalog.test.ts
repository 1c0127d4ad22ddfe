import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../../../components/catalog/fbc.ts';
import { parseTemplate } from '../../../../components/catalog/template.ts';
import { CheckoutCatalog } from '../../../../components/images/checkout-catalog.ts';
import { templateVersions } from '../../../../components/images/checkout-content.ts';
import { runProgram, valueOf } from '../../../support/pulumi/pulumi-program.ts';
import type { ProgramResult } from '../../../support/pulumi/pulumi-program.ts';

const FILE = 'catalog/operator_catalog_dev.yaml';

/** Every image gets a digest that is made of its name's length, so that they differ. */
function digestFor(name: string): string {
  return `sha256:${name.length.toString(16).padStart(2, '0').repeat(32)}`;
}

describe('a catalog of this checkout', () => {
  let workDirectory: string;
  let program: ProgramResult;
  let catalog: Catalog;
  let ref: string;

  before(async () => {
    workDirectory = await mkdtemp(join(tmpdir(), 'images-'));
    const template = parseTemplate(await readFile(FILE, 'utf8'), FILE);
    program = await runProgram(
      async () => {
        const built = new CheckoutCatalog('dev', {
          template,
          file: FILE,
          imageBase: 'registry.example.com/fleet/operator',
          controller: { context: 'controller', baseImage: 'registry.example.com/node:24' },
          crdVersion: 'v1alpha1',
          source: { revision: 'abc', created: new Date(0) },
          catalogSource: { revision: 'def', created: new Date(0) },
          settings: { builder: 'docker-build', platforms: ['linux/amd64'] },
          workDirectory,
        });
        catalog = await valueOf(built.catalog);
        ref = await valueOf(built.ref);
      },
      ({ name }) => ({ digest: digestFor(name) }),
    );
  });

  after(() => rm(workDirectory, { recursive: true }));

  it('has a bundle for every version of the template, in two majors', () => {
    assert.deepEqual(catalog.bundles.map(({ name }) => name).sort(), [
      'inference-stack-operator.v3.0.0',
      'inference-stack-operator.v3.1.0',
      'inference-stack-operator.v4.0.0',
      'inference-stack-operator.v4.1.0',
    ]);
    assert.deepEqual(
      catalog.channels.map(({ name }) => name),
      ['fast-v3', 'fast-v4', 'stable-v3', 'stable-v4'],
    );
  });

  it('names images where they were pushed, by digest, whatever the template calls them', () => {
    const digest = digestFor('dev-bundle-3.0.0');
    for (const { image } of catalog.bundles) {
      assert.equal(image, `registry.example.com/fleet/operator-bundle@${digest}`);
    }
    assert.equal(ref, `registry.example.com/fleet/operator-catalog@${digestFor('dev-catalog')}`);
  });

  it('pushes nothing under a tag that a release may have', () => {
    const tags = program.resources
      .filter(({ type }) => type === 'docker-build:index:Image')
      .flatMap(({ inputs }) => inputs['tags'] as string[]);
    assert.deepEqual(tags.sort(), [
      'registry.example.com/fleet/operator-bundle:checkout-3.0.0',
      'registry.example.com/fleet/operator-bundle:checkout-3.1.0',
      'registry.example.com/fleet/operator-bundle:checkout-4.0.0',
      'registry.example.com/fleet/operator-bundle:checkout-4.1.0',
      'registry.example.com/fleet/operator-catalog:checkout',
      'registry.example.com/fleet/operator:checkout',
    ]);
  });

  it('runs one controller image in every version, built on the base that the site chose', async () => {
    const images = program.resources.filter(({ type }) => type === 'docker-build:index:Image');
    assert.equal(images.length, 6);
    const { inputs } = program.find('docker-build:index:Image', 'dev-operator');
    assert.equal((inputs['buildArgs'] as Record<string, string>)['BASE_IMAGE'], 'registry.example.com/node:24');
    const controller = `registry.example.com/fleet/operator@${digestFor('dev-operator')}`;
    for (const version of ['3.0.0', '4.1.0']) {
      const file = 'manifests/inference-stack-operator.clusterserviceversion.yaml';
      const csv = await readFile(join(workDirectory, `bundle-${version}`, file), 'utf8');
      assert.ok(csv.includes(`image: ${controller}`));
      assert.ok(csv.includes(`value: ${version}`));
    }
  });

  it('names the commit of what each image is made of', () => {
    const revision = (name: string): unknown => {
      const { labels } = program.find('docker-build:index:Image', `dev-${name}`).inputs as {
        labels: Record<string, string>;
      };
      return labels['org.opencontainers.image.revision'];
    };
    assert.deepEqual(['operator', 'bundle-3.0.0', 'catalog'].map(revision), ['abc', 'abc', 'def']);
  });

  it('is an image of nothing but its content', async () => {
    const dockerfile = await readFile(join(workDirectory, 'catalog', 'Dockerfile'), 'utf8');
    assert.equal(
      dockerfile,
      'FROM scratch\nLABEL operators.operatorframework.io.index.configs.v1="/configs"\nCOPY configs /configs/\n',
    );
  });

  it('is refused when a tag is no version', () => {
    const text = 'Schema: olm.semver\nFast: {Bundles: [{Image: docker.io/tytn/operator-bundle:latest}]}';
    assert.throws(() => templateVersions(parseTemplate(text, 'c.yaml'), 'c.yaml'), {
      message:
        'c.yaml: Image: has a tag that is not a version (got "docker.io/tytn/operator-bundle:latest"). ' +
        'Tag it with the version to build, e.g. 3.0.0.',
    });
  });
});
