import assert from 'node:assert/strict';
import { installedObjects } from '../../../../components/fleet/bundle-objects.ts';
import { installerRights, type BundleObject } from '../../../../components/fleet/installer-rights.ts';
import type { PolicyRule } from '../../../../packages/kube/policy-rule.ts';
import { sampleBundle } from '../../../support/olm/sample-catalog.ts';

const OBJECTS = installedObjects(sampleBundle('1.2.0'));
const NAME = 'inference-stack-operator-v1';

function find(rules: readonly PolicyRule[], resource: string): readonly PolicyRule[] {
  return rules.filter((rule) => rule.resources.includes(resource));
}

describe('the rights of an installer', () => {
  const rights = installerRights(NAME, OBJECTS);
  const all = [...rights.cluster, ...rights.namespace];

  it('have no wildcard and no way to rights that are not listed', () => {
    for (const rule of all) {
      for (const word of [...rule.apiGroups, ...rule.resources, ...rule.verbs]) assert.notEqual(word, '*');
      for (const verb of ['escalate', 'bind', 'impersonate']) assert.equal(rule.verbs.includes(verb), false);
    }
  });

  it('hold everything but creating to the names of the bundle’s objects', () => {
    assert.deepEqual(find(rights.cluster, 'clusterroles'), [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['list', 'watch'] },
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] },
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        verbs: ['get', 'update', 'patch', 'delete'],
        resourceNames: [NAME],
      },
    ]);
  });

  it('reach namespaced objects in the operators’ namespace only', () => {
    assert.deepEqual(
      find(rights.namespace, 'roles').map(({ verbs }) => verbs),
      [['create'], ['get', 'update', 'patch', 'delete']],
    );
    assert.deepEqual(
      find(rights.cluster, 'roles').map(({ verbs }) => verbs),
      [['list', 'watch']],
    );
  });

  it('contain what the operator itself is granted, in the same scope', () => {
    for (const { kind, rules = [] } of OBJECTS) {
      const scope = kind === 'ClusterRole' ? rights.cluster : rights.namespace;
      for (const rule of rules) assert.ok(scope.some((each) => JSON.stringify(each) === JSON.stringify(rule)));
    }
  });

  it('cover the installed and the wanted bundle', () => {
    const old: BundleObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gone-in-the-next-version' } };
    const names = find(installerRights(NAME, [...OBJECTS, old]).namespace, 'configmaps').flatMap(
      ({ resourceNames }) => resourceNames ?? [],
    );
    assert.deepEqual(names, ['gone-in-the-next-version']);
  });

  it('include the extension’s finalizers, for clusters that enforce owner references', () => {
    assert.deepEqual(find(rights.cluster, 'clusterextensions/finalizers')[0]?.resourceNames, [NAME]);
  });

  it('are refused for a kind that is not known', () => {
    const odd: BundleObject = { apiVersion: 'example.com/v1', kind: 'Odd', metadata: { name: 'thing' } };
    assert.throws(() => installerRights(NAME, [odd]), {
      message: `bundle of ${NAME}: Odd thing: is of a kind whose rights are not known (got "example.com/v1"). Add the kind to components/fleet/resource-kinds.ts, or leave the object out of the bundle.`,
    });
  });
});
