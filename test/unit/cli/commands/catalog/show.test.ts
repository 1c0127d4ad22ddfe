import assert from 'node:assert/strict';
import { main } from '../../../../../cli/main.ts';
import { listOf, withFakeApi, type Answers } from '../../../../support/kubernetes/fake-api.ts';
import { recordingIo } from '../../../../support/people/recording-io.ts';

// Not where OLM's releases put it: a cluster may have had an OLM of its own.
const CATALOGD = '/api/v1/namespaces/platform/services/https:catalogd:443/proxy/catalogs';
const CATALOGS = '/apis/olm.operatorframework.io/v1/clustercatalogs';
const PACKAGE = 'inference-stack-operator';

const lines = (...documents: readonly object[]): string => documents.map((each) => JSON.stringify(each)).join('\n');

const OURS = lines(
  { schema: 'olm.package', name: PACKAGE, defaultChannel: 'stable-v1' },
  { schema: 'olm.channel', package: PACKAGE, name: 'stable-v1', entries: [{ name: `${PACKAGE}.v1.0.0` }] },
  {
    schema: 'olm.bundle',
    package: PACKAGE,
    name: `${PACKAGE}.v1.0.0`,
    image: 'registry.example/bundle@sha256:1',
    properties: [{ type: 'olm.package', value: { packageName: PACKAGE, version: '1.0.0' } }],
  },
);
const PUBLIC = lines(
  { schema: 'olm.package', name: 'argocd-operator', defaultChannel: 'alpha' },
  { schema: 'olm.channel', package: 'argocd-operator', name: 'alpha', entries: [] },
);

/** A cluster whose catalogs serve these contents; those without are not well. */
function cluster(contents: Readonly<Record<string, string | undefined>>): Answers {
  const catalogs = Object.keys(contents).map((name) => ({
    kind: 'ClusterCatalog',
    metadata: { name },
    status: { urls: { base: `https://catalogd.platform.svc/catalogs/${name}` } },
  }));
  const served = Object.entries(contents).flatMap(([name, content]) =>
    content === undefined ? [] : [[`${CATALOGD}/${name}/api/v1/all`, content]],
  );
  return {
    [CATALOGS]: listOf(...catalogs),
    ...Object.fromEntries(catalogs.map((catalog) => [`${CATALOGS}/${catalog.metadata.name}`, catalog])),
    ...(Object.fromEntries(served) as Record<string, string>),
  };
}

async function show(
  contents: Readonly<Record<string, string | undefined>>,
  ...args: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  return withFakeApi(cluster(contents), async (kubeconfig) => {
    const io = recordingIo({}, { KUBECONFIG: kubeconfig });
    const code = await main(['catalog', 'show', ...args], io);
    return { code, out: io.stdout(), err: io.stderr() };
  });
}

const TABLE = `inference-stack-operator in ClusterCatalog fleet

CHANNEL    VERSION  NOTE  BUNDLE
stable-v1  1.0.0    head  registry.example/bundle@sha256:1

`;

describe('fleet catalog show', () => {
  it('passes over catalogs that have other packages', async () => {
    assert.deepEqual(await show({ community: PUBLIC, fleet: OURS }), { code: 0, out: TABLE, err: '' });
  });

  it('goes on after a catalog that cannot be read, and names it', async () => {
    const { code, out, err } = await show({ broken: undefined, fleet: OURS });
    assert.deepEqual([code, out], [0, TABLE]);
    assert.match(
      err,
      /^ClusterCatalog broken: cannot be read: GET .*404.*`kubectl get clustercatalogs` shows whether OLM is installed/,
    );
  });

  it('fails when no catalog has the package', async () => {
    assert.deepEqual(await show({ community: PUBLIC, operatorhub: PUBLIC }), {
      code: 1,
      out: '',
      err: `package ${PACKAGE}: is in none of the cluster's catalogs that can be read (community, operatorhub). Name another one with --package.\n`,
    });
  });

  it('fails when the catalog that was asked for has not the package', async () => {
    const { code, err } = await show({ community: PUBLIC, fleet: OURS }, '--name', 'community');
    assert.equal(code, 1);
    assert.match(
      err,
      /^ClusterCatalog community: package inference-stack-operator: is not in the catalog\. It has argocd/,
    );
  });

  it('names the catalog that was asked for and is not there', async () => {
    const { code, err } = await show({ fleet: OURS }, '--name', 'flet');
    assert.equal(code, 1);
    assert.match(err, /^ClusterCatalog flet: cannot be read: GET .*404/);
  });

  it('names a catalog that serves nothing yet', async () => {
    const { err } = await withFakeApi({ [CATALOGS]: listOf({ metadata: { name: 'new' } }) }, async (kubeconfig) => {
      const io = recordingIo({}, { KUBECONFIG: kubeconfig });
      return { code: await main(['catalog', 'show'], io), err: io.stderr() };
    });
    assert.match(
      err,
      /^ClusterCatalog new: cannot be read: it serves nothing yet\. `kubectl get clustercatalogs` shows whether/,
    );
  });

  it('says that there is no catalog at all', async () => {
    assert.deepEqual(await show({}), { code: 0, out: 'The cluster has no ClusterCatalog.\n', err: '' });
  });
});
