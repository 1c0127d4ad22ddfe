import assert from 'node:assert/strict';
import type { Facts } from '../../../../policies/knowledge/facts.ts';
import { ObjectReader, UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { crdIsProtected } from '../../../../policies/rules/crd-is-protected.ts';
import { crdStaysCompatible } from '../../../../policies/rules/crd-stays-compatible.ts';
import { imagesByDigest } from '../../../../policies/rules/images-by-digest.ts';
import { noWildcardRbac } from '../../../../policies/rules/no-wildcard-rbac.ts';
import { workloadsAreHardened } from '../../../../policies/rules/workloads-are-hardened.ts';
import { binding, catalog, clusterRole, definition, deployment } from '../../../support/policies/objects.ts';
import { patch, refused, unjudged } from '../../../support/policies/program.ts';
import { withChanges } from '../../../support/policies/support.ts';

/** A cluster in which a program finds these objects, which it patches. */
function clusterWith(...objects: readonly object[]): Facts {
  const readers = objects.map((object) => new ObjectReader(object));
  const [definitions = [], patched = []] = [true, false].map((isDefinition) =>
    readers.filter(({ kind }) => (kind === 'CustomResourceDefinition') === isDefinition),
  );
  return { catalogs: [], cluster: { extensions: [], definitions, catalogs: [], patched } };
}

/** Which object is patched, and nothing of what it holds. */
function identityOf(object: object): object {
  const { apiVersion, kind, metadata } = object as Record<string, unknown>;
  return { apiVersion, kind, metadata };
}

const UNSEEN = 'the object that it patches is not known, so what the patch leaves out is not judged.';

describe('a patch of a CRD', () => {
  const { spec } = definition() as { spec: { versions: object[] } };
  const [version = {}] = spec.versions;
  const properties = ['schema', 'openAPIV3Schema', 'properties', 'spec', 'properties'];
  const lossy = { ...identityOf(definition()), spec: { versions: [withChanges(version, [properties, {}])] } };

  it('is compared with the CRD in the cluster, though it does not say the group', async () => {
    assert.deepEqual(await refused(crdStaysCompatible, [patch(lossy)], clusterWith(definition())), [
      'CustomResourceDefinition inferencestacks.models.titanml.co: spec.versions[v1beta1].spec.a: is gone: what stacks say there would be erased. Keep what exists and add to it: the stacks of every team rely on it.',
    ]);
  });

  it('that leaves the schema is admitted', async () => {
    const facts = clusterWith(definition());
    assert.deepEqual(await refused(crdStaysCompatible, [patch(identityOf(definition()))], facts), []);
  });

  it('is not judged, which is said, without a cluster', async () => {
    assert.deepEqual(await unjudged(crdStaysCompatible, [patch(lossy)]), [
      'CustomResourceDefinition inferencestacks.models.titanml.co: there is no cluster to compare it with, so compatibility is not judged.',
    ]);
  });

  it('needs no protection, since taking a patch away deletes nothing', async () => {
    assert.deepEqual(await refused(crdIsProtected, [patch(definition())], clusterWith(definition())), []);
  });
});

describe('a patch of rights', () => {
  const subjects = [{ kind: 'ServiceAccount', name: 'x', namespace: 'y' }];
  const named = (name: string): object => withChanges(binding('cluster-admin'), [['metadata', 'name'], name]);
  const adding = (name: string): object => ({ ...identityOf(named(name)), subjects });
  const message = (name: string): string =>
    `ClusterRoleBinding ${name} should not give ServiceAccount x the role cluster-admin.`;

  it('may not add anybody to a binding that gives cluster-admin, which only the cluster knows', async () => {
    assert.deepEqual(await refused(noWildcardRbac, [patch(adding('a'))], clusterWith(named('a'))), [message('a')]);
  });

  it("may not add anybody to Kubernetes' own binding of cluster-admin, with or without a cluster", async () => {
    assert.deepEqual(await refused(noWildcardRbac, [patch(adding('cluster-admin'))]), [message('cluster-admin')]);
  });

  it("may not add anybody to OLM's own binding, which is exempt only as it is", async () => {
    const olm = 'operator-controller-cluster-admin-rolebinding';
    const facts = clusterWith(named(olm));
    assert.deepEqual(await refused(noWildcardRbac, [patch(adding(olm))], facts), [message(olm)]);
    assert.deepEqual(await refused(noWildcardRbac, [patch(identityOf(named(olm)))], facts), []);
  });

  it('is not judged by a role that is not known, which is said', async () => {
    assert.deepEqual(await refused(noWildcardRbac, [patch(adding('a'))]), []);
    assert.deepEqual(await unjudged(noWildcardRbac, [patch(adding('a'))]), [`ClusterRoleBinding a: ${UNSEEN}`]);
  });

  it('replaces the rules of a role as a whole', async () => {
    const rules = [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }];
    const wide = withChanges(clusterRole(), [['rules'], rules]);
    const facts = clusterWith(wide);
    assert.equal((await refused(noWildcardRbac, [patch(wide)], clusterWith(clusterRole()))).length, 1);
    assert.deepEqual(await refused(noWildcardRbac, [patch(clusterRole())], facts), []);
  });
});

describe('a patch of a workload', () => {
  const NAME = 'Deployment inference-stack-operator-system/controller';
  const pod = (spec: object): object => ({ ...identityOf(deployment()), spec: { template: { spec } } });
  const privileged = pod({ containers: [{ name: 'manager', securityContext: { privileged: true } }] });

  it('changes the container of that name, and leaves the rest of it', async () => {
    assert.deepEqual(await refused(workloadsAreHardened, [patch(privileged)], clusterWith(deployment())), [
      `${NAME}: container manager should not be privileged.`,
    ]);
  });

  it('adds containers and volumes beside those that are there', async () => {
    const added = pod({
      containers: [{ name: 'second', image: 'docker.io/tytn/second:1' }],
      volumes: [{ name: 'root', hostPath: { path: '/' } }],
    });
    const facts = clusterWith(withChanges(deployment(), [['spec', 'template', 'spec', 'volumes'], [{ name: 'a' }]]));
    assert.deepEqual(await refused(imagesByDigest, [patch(added)], facts), [
      `${NAME} should name the image of container second by digest, not "docker.io/tytn/second:1".`,
    ]);
    const found = await refused(workloadsAreHardened, [patch(added)], facts);
    assert.ok(found.includes(`${NAME} should not mount a folder of its node (volume root: hostPath).`));
    assert.ok(!found.some((each) => each.includes('container manager')));
  });

  it('is judged by what it says where the cluster is not known, and the rest is said to be missing once', async () => {
    assert.deepEqual(await refused(workloadsAreHardened, [patch(privileged)]), [
      `${NAME}: container manager should not be privileged.`,
    ]);
    assert.deepEqual(await unjudged(workloadsAreHardened, [patch(privileged)]), [`${NAME}: ${UNSEEN}`]);
  });

  it('is not another one of the same name in another namespace', async () => {
    const other = withChanges(deployment(), [['metadata', 'namespace'], 'team-a']);
    assert.deepEqual(await unjudged(imagesByDigest, [patch(identityOf(deployment()))], clusterWith(other)), [
      `${NAME}: ${UNSEEN}`,
    ]);
  });

  it('stays unknown where the patch is', async () => {
    const unknown = pod({ containers: [{ name: 'manager', image: UNKNOWN }] });
    assert.deepEqual(await unjudged(imagesByDigest, [patch(unknown)], clusterWith(deployment())), [
      `${NAME}: spec.template.spec.containers[0].image is known only after the update.`,
    ]);
  });
});

describe('a patch of a catalog', () => {
  it('that leaves the image is judged by the image in the cluster', async () => {
    assert.deepEqual(await refused(imagesByDigest, [patch(identityOf(catalog()))], clusterWith(catalog())), []);
    const tagged = withChanges(catalog(), [['spec', 'source', 'image', 'ref'], 'docker.io/tytn/c:1']);
    assert.equal((await refused(imagesByDigest, [patch(identityOf(catalog()))], clusterWith(tagged))).length, 1);
  });
});
