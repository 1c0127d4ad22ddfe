import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle } from '../../../../components/bundle/bundle.ts';
import { pullBundle } from '../../../../components/catalog/pull-bundles.ts';
import { bundleToFbc } from '../../../../components/catalog/registry-v1.ts';
import { renderCatalog } from '../../../../components/catalog/render.ts';
import { parseTemplate } from '../../../../components/catalog/template.ts';
import { textImageContext, writeContext } from '../../../../components/images/build-context.ts';
import { buildImage } from '../../../../components/images/build-image.ts';
import { publishBundle, publishCatalog } from '../../../../components/images/publish.ts';
import type { PublishSettings } from '../../../../components/images/publish.ts';
import { pullFiles } from '../../../../components/registry/image-files.ts';
import { parseReference } from '../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { cluster } from '../../../support/embedded/shared-cluster.ts';

const CONTROLLER = `registry.example.com/operator@sha256:${'a'.repeat(64)}`;
const REQUEST = { version: '1.0.0', crdVersion: 'v1alpha1', controllerImage: CONTROLLER };

describe('publishing to a registry with BuildKit', function () {
  this.timeout(120_000);
  let directory: string;
  let client: RegistryClient;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'publish-'));
    client = new RegistryClient({ ca: await readFile(cluster.environment.ca, 'utf8') });
  });

  after(async () => {
    client.close();
    await rm(directory, { recursive: true });
  });

  function settings(extra: Partial<PublishSettings> = {}): PublishSettings {
    const { registry, buildkit, dockerConfig } = cluster.environment;
    return {
      imageBase: `${registry}/test/operator`,
      buildkit: { address: buildkit, dockerConfig },
      source: { revision: 'abc', created: new Date('2026-01-02T03:04:05Z') },
      catalogSource: { revision: 'def', created: new Date('2026-02-03T04:05:06Z') },
      workDirectory: directory,
      ...extra,
    };
  }

  it('gives the same image for the same content, whenever its files were written and without a cache', async () => {
    const { registry } = cluster.environment;
    const { buildkit } = settings();
    const bundle = buildBundle({ ...REQUEST, created: new Date(0) });
    const original = writeContext(join(directory, 'original'), textImageContext(bundle));
    const copy = join(directory, 'copy');
    await cp(original, copy, { recursive: true });
    for (const path of await readdir(copy, { recursive: true })) await utimes(join(copy, path), 1.7e9, 1.7e9);
    const reference = `${registry}/test/reproducible:1`;
    const build = { reference, sourceDateEpoch: 0, noCache: true };
    assert.equal(
      await buildImage({ ...build, context: copy }, buildkit),
      await buildImage({ ...build, context: original }, buildkit),
    );
  });

  it('pushes bundles that read back as they were built, with and without provenance', async () => {
    for (const provenance of [false, true]) {
      const published = await publishBundle(settings({ attestations: { provenance } }), REQUEST);
      const { bundle } = await pullBundle(client, published.image);
      assert.deepEqual(bundle, published);
    }
  });

  it('pushes a catalog that holds its content and its label, and says where it came from', async () => {
    const image = 'registry.example.com/operator-bundle:1.0.0';
    const { files } = buildBundle({ ...REQUEST, created: new Date(0) });
    const template = parseTemplate(
      `Schema: olm.semver\nGenerateMajorChannels: true\nFast: {Bundles: [{Image: '${image}'}]}`,
      't',
    );
    const catalog = renderCatalog({ template, file: 't', bundles: new Map([[image, bundleToFbc(image, files)]]) });
    const reference = parseReference(await publishCatalog(settings(), catalog, 'test'));
    assert.ok(reference);
    const pulled = await pullFiles(client, reference, ['configs/']);
    assert.deepEqual([...pulled.files.keys()], ['configs/inference-stack-operator/catalog.json']);
    assert.equal(pulled.labels['operators.operatorframework.io.index.configs.v1'], '/configs');
    assert.equal(pulled.labels['org.opencontainers.image.created'], '2026-02-03T04:05:06Z');
    assert.equal(pulled.labels['org.opencontainers.image.revision'], 'def');
  });
});
