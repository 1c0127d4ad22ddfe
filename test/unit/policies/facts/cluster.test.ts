import assert from 'node:assert/strict';
import { contentPath } from '../../../../components/catalog/served-catalog.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { readCluster, type ReadClient } from '../../../../policies/facts/cluster.ts';
import { planFacts } from '../../../../policies/pulumi/planned.ts';
import { catalog, definition, extension } from '../../../support/policies/objects.ts';
import { withChanges } from '../../../support/policies/support.ts';

const BASE = 'https://catalogd-service.olmv1-system.svc/catalogs/inference-stack-catalog';
const PROXY =
  '/api/v1/namespaces/olmv1-system/services/https:catalogd-service:443/proxy/catalogs/inference-stack-catalog/api/v1/all';
const LINES = [
  { schema: 'olm.package', name: 'inference-stack-operator', defaultChannel: 'stable-v2' },
  { schema: 'olm.channel', package: 'inference-stack-operator', name: 'stable-v2', entries: [{ name: 'x.v2.0.0' }] },
  { schema: 'olm.bundle', package: 'inference-stack-operator', name: 'x.v2.0.0', image: 'i', properties: [] },
  { schema: 'olm.package', name: 'other' },
];

/** A client over fixed objects; a kind that is not given is one that the cluster does not know. */
function clientOf(objects: Readonly<Record<string, readonly object[]>>, asked: string[] = []): ReadClient {
  return {
    listAll: ({ plural }) => {
      const list = objects[plural];
      if (list === undefined) return Promise.reject(new ApiError(`GET ${plural}`, 404, {}));
      return Promise.resolve(list as KubernetesObject[]);
    },
    raw: (path) => {
      asked.push(path);
      return Promise.resolve(LINES.map((line) => JSON.stringify(line)).join('\n'));
    },
  };
}

function served(name: string): object {
  const status = {
    urls: { base: BASE.replace('inference-stack-catalog', name) },
    conditions: [{ type: 'Serving', status: 'True' }],
  };
  return withChanges(catalog(name), [['status'], status]);
}

describe('the facts of a cluster', () => {
  it('are empty without OLM', async () => {
    const facts = await readCluster(clientOf({ customresourcedefinitions: [] }), ['inference-stack-operator']);
    assert.deepEqual([facts.extensions, facts.catalogs, facts.definitions], [[], [], []]);
  });

  it('have the content of catalogs that the fleet looks into, and of no other', async () => {
    const asked: string[] = [];
    const client = clientOf(
      {
        clusterextensions: [extension()],
        clustercatalogs: [served('inference-stack-catalog'), served('operatorhubio')],
        customresourcedefinitions: [definition(), withChanges(definition(), [['spec', 'group'], 'example.com'])],
      },
      asked,
    );
    const { catalogs, definitions } = await readCluster(client, ['inference-stack-operator']);
    assert.deepEqual(asked, [PROXY]);
    assert.deepEqual(
      catalogs.map(({ name, isKnown, packages }) => [name, isKnown, packages.length]),
      [
        ['inference-stack-catalog', true, 2],
        ['operatorhubio', false, 0],
      ],
    );
    assert.equal(definitions.length, 1);
  });

  it('say that a catalog fails when it is not being served', async () => {
    const failing = withChanges(served('inference-stack-catalog'), [['status', 'conditions', 0, 'status'], 'False']);
    const client = clientOf({
      clusterextensions: [extension()],
      clustercatalogs: [failing],
      customresourcedefinitions: [],
    });
    const { catalogs } = await readCluster(client, ['inference-stack-operator']);
    assert.equal(catalogs[0]?.failure, 'catalog "inference-stack-catalog" is not being served');
  });

  for (const [what, answer, reason] of [
    ['does not answer', () => Promise.reject(new ApiError('GET /x', 503, {})), 'GET /x: 503 : no message'],
    ['answers with something else', () => Promise.resolve('<html>'), /is not file-based catalog content/],
  ] as const) {
    it(`keep everything else when a catalog ${what}`, async () => {
      const labels = { 'olm.operatorframework.io/metadata.name': 'broken' };
      const selector = ['spec', 'source', 'catalog', 'selector', 'matchLabels'];
      const client = clientOf({
        clusterextensions: [extension(), withChanges(extension(1), [selector, labels])],
        clustercatalogs: [served('inference-stack-catalog'), served('broken')],
        customresourcedefinitions: [definition()],
      });
      const raw: ReadClient['raw'] = (path) => (path.includes('/broken/') ? answer() : client.raw(path));
      const facts = await readCluster({ ...client, raw }, ['inference-stack-operator']);
      assert.deepEqual(
        facts.catalogs.map(({ name, isKnown, packages }) => [name, isKnown, packages.length]),
        [
          ['inference-stack-catalog', true, 2],
          ['broken', false, 0],
        ],
      );
      assert.match(facts.catalogs[1]?.unread ?? '', typeof reason === 'string' ? new RegExp(`^${reason}$`) : reason);
      assert.deepEqual([facts.extensions.length, facts.definitions.length], [2, 1]);
    });
  }

  it('come from catalogd by way of the API server', () => assert.equal(contentPath(BASE), PROXY));
});

describe('the facts of a program', () => {
  const type = 'kubernetes:olm.operatorframework.io/v1:ClusterCatalog';
  const content = { package: { name: 'p' }, channels: [], bundles: [{ name: 'p.v1.0.0', properties: [] }] };
  const fleet = {
    type: 'inference-stack-fleet:fleet:OperatorFleet',
    props: { catalogName: 'inference-stack-catalog', content },
  };

  it('know what a catalog offers when the program says so', () => {
    const { catalogs } = planFacts([{ type, props: catalog() }, fleet], undefined);
    assert.deepEqual(
      catalogs.map(({ name, isKnown, isPlanned, packages }) => [
        name,
        isKnown,
        isPlanned,
        packages[0]?.bundles[0]?.name,
      ]),
      [['inference-stack-catalog', true, true, 'p.v1.0.0']],
    );
  });

  it('do not pretend to know what is not there', () => {
    const [only] = planFacts([{ type, props: catalog() }], undefined).catalogs;
    assert.deepEqual([only?.isKnown, only?.packages], [false, []]);
  });

  it('take what the cluster serves for a catalog whose image stays', () => {
    const image = (catalog() as { spec: { source: { image: { ref: string } } } }).spec.source.image.ref;
    const live = { name: 'inference-stack-catalog', packages: [content as never], isKnown: true };
    const cluster = (ref: string): Parameters<typeof planFacts>[1] => ({
      extensions: [],
      definitions: [],
      catalogs: [
        { ...live, image: ref },
        { ...live, name: 'foreign' },
      ],
    });
    const known = (ref: string): unknown[] =>
      planFacts([{ type, props: catalog() }], cluster(ref)).catalogs.map((one) => [one.name, one.isKnown]);
    assert.deepEqual(known(image), [
      ['inference-stack-catalog', true],
      ['foreign', true],
    ]);
    assert.deepEqual(known('docker.io/tytn/other:1'), [
      ['inference-stack-catalog', false],
      ['foreign', true],
    ]);
  });
});
