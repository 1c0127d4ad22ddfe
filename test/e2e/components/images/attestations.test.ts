import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mirroredImages } from '../../../../cluster/mirror/mirror.ts';
import type { Catalog } from '../../../../components/catalog/fbc.ts';
import { renderCatalog } from '../../../../components/catalog/render.ts';
import { parseTemplate } from '../../../../components/catalog/template.ts';
import { writeContext } from '../../../../components/images/build-context.ts';
import { buildImage } from '../../../../components/images/build-image.ts';
import { publishBundle, publishCatalog, type PublishSettings } from '../../../../components/images/publish.ts';
import { parseReference } from '../../../../components/registry/reference.ts';
import { RegistryClient, type Manifest } from '../../../../components/registry/registry-client.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestFleet } from '../../../support/embedded/fleet.ts';
import { cluster } from '../../../support/embedded/shared-cluster.ts';

const MINUTES = 60_000;
const NAMESPACE = 'inference-stack-operator-system';
const EXTENSION = 'inference-stack-operator-v9';
const CATALOG = 'attested';
const SUBJECT = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: CATALOG, namespace: NAMESPACE } };
const BINDING = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: CATALOG },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', name: CATALOG, namespace: NAMESPACE }],
};

/** Stands in for the scanner that BuildKit would pull: it is called the same way, and finds one package in everything. */
const SCANNER = `
import { writeFileSync } from 'node:fs';
const predicate = { spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', name: 'found', packages: [{ name: 'one' }] };
const statement = { _type: 'https://in-toto.io/Statement/v0.1', predicateType: 'https://spdx.dev/Document', predicate };
writeFileSync(\`\${process.env.BUILDKIT_SCAN_DESTINATION}/found.spdx.json\`, JSON.stringify(statement));
`;

describe('images with attestations', function () {
  this.timeout(10 * MINUTES);
  const fleet = new TestFleet(cluster);
  let directory: string;
  let client: RegistryClient;
  let settings: PublishSettings;

  const apply = (object: object): Promise<string> => cluster.kubectl(['apply', '-f', '-'], JSON.stringify(object));
  const read = (kind: string, name: string, path: string): Promise<string> =>
    cluster.kubectl(['get', kind, name, '--namespace', NAMESPACE, '-o', `jsonpath={${path}}`]);

  /** The parts of an image's index: platforms and what is attached to them. */
  async function parts(ref: string): Promise<Manifest['manifests']> {
    const reference = parseReference(ref);
    assert.ok(reference);
    return (await client.manifest(reference)).content.manifests;
  }

  before(async () => {
    await fleet.make(['up']);
    directory = await mkdtemp(join(tmpdir(), 'attested-'));
    const { registry, buildkit, dockerConfig, ca } = cluster.environment;
    client = new RegistryClient({ ca: await readFile(ca, 'utf8') });
    const dockerfile = `FROM ${mirroredImages(cluster.layout).node ?? ''}\nCOPY scan.mjs /\nENTRYPOINT ["node", "/scan.mjs"]\n`;
    const context = writeContext(
      join(directory, 'scanner'),
      new Map([
        ['Dockerfile', dockerfile],
        ['scan.mjs', SCANNER],
      ]),
    );
    const access = { address: buildkit, dockerConfig };
    const reference = `${registry}/attested/scanner:1`;
    const sbomScanner = await buildImage({ context, reference, sourceDateEpoch: 0 }, access);
    settings = {
      imageBase: `${registry}/attested/operator`,
      buildkit: access,
      source: { revision: 'abc', created: new Date(0) },
      catalogSource: { revision: 'abc', created: new Date(0) },
      attestations: { provenance: true, sbom: true, sbomScanner },
      workDirectory: directory,
    };
  });

  after(async () => {
    await cluster.kubectl(['delete', '--ignore-not-found', 'clusterextension', EXTENSION]);
    await cluster.kubectl(['delete', '--ignore-not-found', 'clustercatalog', CATALOG]);
    await cluster.kubectl(['delete', '--ignore-not-found', 'clusterrolebinding', CATALOG]);
    await cluster.kubectl(['delete', '--ignore-not-found', '-n', NAMESPACE, 'serviceaccount', CATALOG]);
    // Whoever comes next begins with a cluster that has no fleet.
    await cluster.kubectl(['delete', 'inferencestacks', '--all', '--all-namespaces']);
    await fleet.make(['down']);
    client.close();
    fleet.remove();
    await rm(directory, { recursive: true });
  });

  async function publish(): Promise<{ bundle: string; catalog: string }> {
    const controllerImage = await read(
      'deployment',
      'inference-stack-operator-v4',
      '.spec.template.spec.containers[0].image',
    );
    const bundle = await publishBundle(settings, { version: '9.0.0', crdVersion: 'v1beta1', controllerImage });
    return { bundle: bundle.image, catalog: await publishCatalog(settings, catalogOf(bundle), '9.0.0') };
  }

  it('are served by catalogd and installed by operator-controller as others are', async () => {
    const { bundle, catalog } = await publish();
    for (const ref of [bundle, catalog]) {
      const found = (await parts(ref)) ?? [];
      assert.deepEqual(
        found.map(({ platform }) => platform?.os),
        ['linux', 'unknown'],
        ref,
      );
      const [, attached] = found;
      assert.deepEqual(await predicates(ref, attached?.digest ?? ''), [
        'https://slsa.dev/provenance/v1',
        'https://spdx.dev/Document',
      ]);
    }

    await apply({
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterCatalog',
      metadata: { name: CATALOG },
      spec: { source: { type: 'Image', image: { ref: catalog } } },
    });
    for (const object of [SUBJECT, BINDING, extension()]) await apply(object);
    await eventually(
      async () => {
        const installed = await read('clusterextension', EXTENSION, '.status.install.bundle.version');
        const progress = await read('clusterextension', EXTENSION, '.status.conditions[*].message');
        assert.equal(installed, '9.0.0', progress);
      },
      3 * MINUTES,
      500,
    );
  });

  /** What the attestations of an image state, each by its layer. */
  async function predicates(ref: string, digest: string): Promise<string[]> {
    const reference = parseReference(ref);
    assert.ok(reference);
    const { content } = await client.manifest({ ...reference, digest });
    const layers = (content.layers ?? []) as readonly { readonly annotations?: Readonly<Record<string, string>> }[];
    return layers.map(({ annotations }) => annotations?.['in-toto.io/predicate-type'] ?? '').sort();
  }
});

function catalogOf(bundle: Catalog['bundles'][number]): Catalog {
  const image = 'registry.example.com/operator-bundle:9.0.0';
  const text = `Schema: olm.semver\nGenerateMajorChannels: true\nFast: {Bundles: [{Image: '${image}'}]}`;
  return renderCatalog({ template: parseTemplate(text, 't'), file: 't', bundles: new Map([[image, bundle]]) });
}

function extension(): object {
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name: EXTENSION },
    spec: {
      namespace: NAMESPACE,
      serviceAccount: { name: CATALOG },
      source: {
        sourceType: 'Catalog',
        catalog: {
          packageName: 'inference-stack-operator',
          channels: ['fast-v9'],
          selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': CATALOG } },
        },
      },
    },
  };
}
