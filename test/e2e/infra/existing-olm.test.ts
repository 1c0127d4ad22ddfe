import assert from 'node:assert/strict';
import { isDeployment, mapPod, type ManifestObject } from '../../../components/olm/manifest.ts';
import { EMBEDDED_OLM } from '../../../components/olm/versions.ts';
import { CommandError } from '../../../packages/lib/command.ts';
import { minimalCrd } from '../../support/kubernetes/minimal-crd.ts';
import { TestFleet } from '../../support/embedded/fleet.ts';
import { installForeignOlm, manifestText, releasedManifest } from '../../support/embedded/foreign-olm.ts';
import { cluster } from '../../support/embedded/shared-cluster.ts';

const MINUTES = 60_000;
const V3 = 'inference-stack-operator-v3';
const CRDS = ['clustercatalogs.olm.operatorframework.io', 'clusterextensions.olm.operatorframework.io'];
const CONTROLLERS = ['catalogd-controller-manager', 'operator-controller-controller-manager'];
const PINNED = { version: EMBEDDED_OLM, manifest: '.tools/share/olm-v{version}.yaml' };
const CONTROL_PLANE = { 'kubernetes.io/os': 'linux', 'node-role.kubernetes.io/control-plane': '' };
/** A definition that one version of OLM brings and the next one does not. */
const PASSING = 'clusterpassings.olm.operatorframework.io';

/** What makes an object another one when it is replaced. */
const NAMES_AND_UIDS = 'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid}{"\\n"}{end}';

const PASSING_DEFINITION: ManifestObject = {
  ...minimalCrd({
    group: 'olm.operatorframework.io',
    version: 'v1',
    kind: 'ClusterPassing',
    plural: 'clusterpassings',
    namespaced: false,
  }),
};

interface Controller {
  readonly uid: string;
  readonly revision: string;
}

/**
 * OLM v1 that somebody else has installed in the cluster of the tests, by the released manifest, on a node of the control plane. The
 * tests tell one story and build on each other.
 */
describe('an OLM that somebody else installed', function () {
  this.timeout(5 * MINUTES);
  const fleet = new TestFleet(cluster);

  before(async () => {
    // What an earlier fleet has left says whose it was.
    await cluster.kubectl(['delete', 'crd', '--ignore-not-found', ...CRDS]);
    await cluster.labelControlPlane(true);
    await installForeignOlm(cluster);
  });
  // What has been taken over stays: the next tests go on with it, or the cluster goes.
  after(async () => {
    await cluster.kubectl(['delete', 'crd', '--ignore-not-found', PASSING]);
    await cluster.labelControlPlane(false);
    fleet.remove();
  });

  /** The dev environment with these settings of OLM, by default with one operator, and nothing to show. */
  const up = (olm: object, operators: readonly object[] = [{ major: 3, channel: 'fast' }]): Promise<string> =>
    fleet.make(['up', `CONFIG=${fleet.config('Pulumi.dev.yaml', { olm, demo: false, operators })}`]);

  async function olmPods(): Promise<string> {
    return uids('pods', ['-n', 'olmv1-system', '--sort-by=.metadata.name']);
  }

  /** Of several objects, since kubectl shows a single one in another form. */
  async function uids(kind: string, names: readonly string[]): Promise<string> {
    return cluster.kubectl(['get', kind, ...names, '-o', NAMES_AND_UIDS]);
  }

  async function extensionUid(): Promise<string> {
    return cluster.kubectl(['get', 'clusterextension', V3, '-o', 'jsonpath={.metadata.uid}']);
  }

  async function controller(name: string): Promise<Controller> {
    const text = await cluster.kubectl(['get', 'deployment', '-n', 'olmv1-system', name, '-o', 'json']);
    const { metadata } = JSON.parse(text) as { metadata: { uid: string; annotations: Record<string, string> } };
    return { uid: metadata.uid, revision: metadata.annotations['deployment.kubernetes.io/revision'] ?? '' };
  }

  const controllers = (): Promise<readonly Controller[]> => Promise.all(CONTROLLERS.map(controller));

  it('is not installed over', async () => {
    const before = await olmPods();
    await assert.rejects(up(PINNED), (error: unknown) => {
      assert.ok(error instanceof CommandError);
      assert.ok(
        error.output.includes(
          'CustomResourceDefinition clusterextensions.olm.operatorframework.io: olm.mode: would install over an OLM v1 that ' +
            'something else installed (got "install"). Choose `existing` to use that one as it is, ' +
            'or `adopt` to take it over.',
        ),
        error.output,
      );
      return true;
    });
    assert.equal(await olmPods(), before);
  });

  it('stays when an environment that uses it is taken down', async () => {
    const before = await olmPods();
    await up({ mode: 'existing' }, []);
    await fleet.make(['down']);
    assert.equal(await olmPods(), before);
  });

  it('is used as it is', async () => {
    const before = await olmPods();
    assert.match(await up({ mode: 'existing' }), /v3: 3\.1\.0 \(fast-v3, new\)/);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.1.0`]);
    assert.equal(await olmPods(), before);
  });

  it('is taken over in place, with one restart for the certificates of this program', async () => {
    const definitions = await uids('crd', CRDS);
    const extension = await extensionUid();
    const before = await controllers();
    await up({ ...PINNED, mode: 'adopt', manifest: manifest(earlierManifest()) });
    assert.deepEqual(await controllers(), before.map(restartedOnce));
    assert.deepEqual(await fleet.olmNodeSelector(), CONTROL_PLANE);
    assert.equal(await uids('crd', CRDS), definitions);
    assert.equal(await extensionUid(), extension);
  });

  it('is upgraded in place, and no CRD is deleted, not even one that the new version has dropped', async () => {
    const definitions = await uids('crd', [...CRDS, PASSING]);
    const extension = await extensionUid();
    const before = await controllers();
    // The stack as committed, which the next tests need as well.
    const output = await fleet.make(['up']);
    assert.match(output, /- 1 deleted/);
    assert.doesNotMatch(output, /replaced/);
    assert.deepEqual(await controllers(), before.map(restartedOnce));
    assert.equal(await uids('crd', [...CRDS, PASSING]), definitions);
    assert.equal(await extensionUid(), extension);
    assert.doesNotMatch(await cluster.kubectl(['get', 'crd', ...CRDS, '-o', 'yaml']), /earlier: "true"/);
  });

  it('leaves the nodes of the control plane when there are none any more, and says so', async () => {
    await cluster.labelControlPlane(false);
    const before = await controllers();
    assert.match(await fleet.make(['up']), /no node of the cluster fits, so OLM runs on any node\./);
    assert.deepEqual(await controllers(), before.map(restartedOnce));
    assert.deepEqual(await fleet.olmNodeSelector(), { 'kubernetes.io/os': 'linux' });
  });

  function manifest(objects: readonly ManifestObject[]): string {
    return fleet.write('olm.yaml', manifestText(objects));
  }
});

/** The same Deployment with one more revision of its pods. */
function restartedOnce({ uid, revision }: Controller): Controller {
  return { uid, revision: String(Number(revision) + 1) };
}

/** A release before the pinned one: something differs in every CRD and every controller, and it brings one CRD more. */
function earlierManifest(): readonly ManifestObject[] {
  return [...releasedManifest().map(earlier), PASSING_DEFINITION];
}

function earlier(object: ManifestObject): ManifestObject {
  if (object.kind === 'CustomResourceDefinition') {
    const annotations = { ...object.metadata.annotations, earlier: 'true' };
    return { ...object, metadata: { ...object.metadata, annotations } };
  }
  if (!isDeployment(object)) return object;
  const env = [{ name: 'EARLIER', value: 'true' }];
  return mapPod(object, (pod) => ({
    ...pod,
    containers: pod.containers.map((container) => ({ ...container, env: [...(container.env ?? []), ...env] })),
  }));
}
