import assert from 'node:assert/strict';
import { operatorManifests } from '../../../../components/bundle/operator-manifests.ts';
import { operatorClusterRules } from '../../../../components/bundle/operator-rbac.ts';
import { installerRights, type BundleObject } from '../../../../components/fleet/installer-rights.ts';
import type { Facts } from '../../../../policies/knowledge/facts.ts';
import { ObjectReader, UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { planFacts } from '../../../../policies/pulumi/planned.ts';
import { olmWritersAreKnown } from '../../../../policies/rules/olm-writers-are-known.ts';
import { binding, clusterRole } from '../../../support/policies/objects.ts';
import { patch, refused, resource, unjudged } from '../../../support/policies/program.ts';
import { unknowns, violations, withChanges, type Change } from '../../../support/policies/support.ts';

const OLM = 'olm.operatorframework.io';

/** A ClusterRole with one rule. */
function granting(verbs: readonly string[], resources: readonly string[], ...changes: readonly Change[]): object {
  return withChanges(clusterRole(), [['rules', 0], { apiGroups: [OLM], resources, verbs }], ...changes);
}

/** A cluster with these ClusterRoles. */
function clusterWith(...roles: readonly object[]): Facts {
  const clusterRoles = roles.map((role) => new ObjectReader(role));
  return { catalogs: [], cluster: { extensions: [], definitions: [], catalogs: [], clusterRoles } };
}

function named(name: string): Change {
  return [['metadata', 'name'], name];
}

const found = (...objects: readonly object[]): string[] => violations(olmWritersAreKnown, objects);
const WHY = 'OLM acts as cluster-admin, and so would';

describe('olm-writers-are-known', () => {
  it('admits roles and bindings that have nothing to do with OLM', () => {
    assert.deepEqual(found(clusterRole(), binding()), []);
  });

  it("admits the operator's own rights, and those of its installer", () => {
    const objects = [...operatorManifests(2).values()] as unknown as BundleObject[];
    const { cluster } = installerRights('inference-stack-operator-v2', objects);
    for (const rules of [operatorClusterRules(2), cluster]) {
      const role = withChanges(clusterRole(), [['rules'], rules]);
      assert.deepEqual(violations(olmWritersAreKnown, [role, binding()], clusterWith(role)), []);
    }
  });

  describe('of a role', () => {
    for (const resource of ['clusterextensions', 'clustercatalogs', 'clustercatalogs/status', 'clusterobjectsets']) {
      for (const verb of ['create', 'update', 'patch', '*']) {
        it(`refuses ${verb} on ${resource}`, () => {
          assert.deepEqual(found(granting(['get', verb], [resource])), [
            `ClusterRole installer should not grant ${verb} on ${resource} in rules[0]: ${WHY} its holders.`,
          ]);
        });
      }
    }

    it('refuses it however wide it is written', () => {
      assert.equal(found(granting(['patch'], ['*'])).length, 1);
      assert.equal(found(granting(['patch'], ['*/status'])).length, 1);
      assert.equal(found(granting(['*'], ['clustercatalogs'], [['rules', 0, 'apiGroups'], ['*']])).length, 1);
    });

    it('refuses it by name too: what an extension says can be changed to anything', () => {
      assert.equal(found(granting(['patch'], ['clusterextensions'], [['rules', 0, 'resourceNames'], ['a']])).length, 1);
    });

    it('admits reading, deleting, finalizers and the status of extensions, and resources of other groups', () => {
      assert.deepEqual(found(granting(['get', 'list', 'watch', 'delete'], ['clusterextensions'])), []);
      assert.deepEqual(found(granting(['update'], ['clusterextensions/status', 'clusterextensions/finalizers'])), []);
      assert.deepEqual(found(granting(['create'], ['clusterextensions'], [['rules', 0, 'apiGroups'], ['a.b']])), []);
    });

    it('leaves to no-wildcard-rbac what grants everything', () => {
      assert.deepEqual(found(granting(['*'], ['*'], [['rules', 0, 'apiGroups'], ['*']])), []);
    });

    it("leaves OLM's own alone, but not what others add to them", async () => {
      for (const role of [
        'operator-controller-manager-role',
        'operator-controller-clusterextension-editor-role',
        'catalogd-manager-role',
      ]) {
        const own = granting(['create', 'patch'], ['clusterextensions', 'clustercatalogs'], named(role));
        assert.deepEqual(found(own), []);
        assert.equal((await refused(olmWritersAreKnown, [patch(own)], clusterWith(own))).length, 2);
      }
    });

    it('refuses a change of one in the cluster that adds to it', async () => {
      const live = granting(['get'], ['clusterextensions']);
      const change = granting(['get', 'update'], ['clusterextensions']);
      assert.deepEqual(await refused(olmWritersAreKnown, [patch(change)], clusterWith(live)), [
        `ClusterRole installer should not grant update on clusterextensions in rules[0]: ${WHY} its holders.`,
      ]);
    });

    it('refuses to gather roles of the cluster that do', () => {
      const editor = granting(['create'], ['clusterextensions'], [['metadata', 'labels'], { tier: 'olm' }]);
      const gathering = (tier: string): object =>
        withChanges(
          clusterRole(),
          [['rules'], undefined],
          [['aggregationRule', 'clusterRoleSelectors'], [{ matchLabels: { tier } }]],
        );
      const judged = (tier: string): string[] =>
        violations(olmWritersAreKnown, [gathering(tier)], clusterWith(withChanges(editor, named('editor'))));
      assert.deepEqual(judged('olm'), [
        `ClusterRole installer should not gather roles that grant create on clusterextensions: ${WHY} they.`,
      ]);
      assert.deepEqual(judged('other'), []);
    });

    it('refuses what is known, and says what is not', () => {
      const role = granting(['patch', UNKNOWN as never], ['clusterextensions']);
      assert.equal(found(role).length, 1);
      assert.deepEqual(unknowns(olmWritersAreKnown, [role]), [
        'ClusterRole installer: rules[0].verbs[1] is known only after the update.',
      ]);
    });
  });

  describe('of a binding', () => {
    const EDITOR = granting(['create', 'patch'], ['clusterextensions'], named('editor'));
    const given = (role: string, facts: Facts, settings = {}): string[] =>
      violations(olmWritersAreKnown, [binding(role)], facts, settings);

    it('refuses to give a role of the cluster that writes extensions or catalogs', () => {
      assert.deepEqual(given('editor', clusterWith(EDITOR)), [
        `ClusterRoleBinding installer should not give ServiceAccount installer the role editor, which grants create, patch on clusterextensions: ${WHY} they.`,
      ]);
      assert.deepEqual(given('reader', clusterWith(EDITOR)), []);
    });

    it('refuses to give one that gathers such a role', () => {
      const labels = { tier: 'olm' };
      const gathering = withChanges(
        clusterRole(),
        named('gathering'),
        [['rules'], []],
        [['aggregationRule', 'clusterRoleSelectors'], [{ matchLabels: labels }]],
      );
      const roles = clusterWith(gathering, withChanges(EDITOR, [['metadata', 'labels'], labels]));
      assert.equal(given('gathering', roles).length, 1);
    });

    const leading: Record<string, object> = {
      impersonate: { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] },
      escalate: { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['escalate'] },
      bind: { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['bind'] },
      'make tokens': { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] },
    };
    for (const [what, rule] of Object.entries(leading)) {
      it(`refuses to give one whose holder may ${what}`, () => {
        const role = withChanges(clusterRole(), named('leading'), [['rules'], [rule]]);
        assert.equal(given('leading', clusterWith(role)).length, 1);
      });
    }

    it('admits one that has every verb on what is nobody’s right', () => {
      const rules = [{ apiGroups: ['keda.sh'], resources: ['*'], verbs: ['*'] }];
      assert.deepEqual(given('keda', clusterWith(withChanges(clusterRole(), named('keda'), [['rules'], rules]))), []);
    });

    it('refuses to give one that is exempt to anybody but its holder, also without a cluster', () => {
      assert.deepEqual(given('catalogd-manager-role', { catalogs: [] }), [
        'ClusterRoleBinding installer should not give ServiceAccount installer the role catalogd-manager-role, which is exempt because of its holder and writes ClusterExtensions or ClusterCatalogs.',
      ]);
      assert.deepEqual(found(withChanges(binding('catalogd-manager-role'), named('catalogd-manager-rolebinding'))), []);
    });

    it('admits holders who are expected to, and no others beside them', () => {
      const settings = { writers: ['ServiceAccount inference-stack-operator-system/installer'] };
      assert.deepEqual(given('editor', clusterWith(EDITOR), settings), []);
      const more = withChanges(binding('editor'), [['subjects', 1], { kind: 'User', name: 'eve' }]);
      assert.equal(violations(olmWritersAreKnown, [more], clusterWith(EDITOR), settings).length, 1);
    });

    it('leaves cluster-admin to no-wildcard-rbac, and RoleBindings to no-dangerous-rights', () => {
      const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
      const admin = withChanges(clusterRole(), named('cluster-admin'), [['rules'], rules]);
      assert.deepEqual(given('cluster-admin', clusterWith(admin)), []);
      const inTeam = withChanges(binding('editor'), [['kind'], 'RoleBinding'], [['metadata', 'namespace'], 'team-a']);
      assert.deepEqual(violations(olmWritersAreKnown, [inTeam], clusterWith(EDITOR)), []);
    });

    it('says so where the roles of the cluster must not be read', () => {
      const facts: Facts = { catalogs: [], cluster: { extensions: [], definitions: [], catalogs: [] } };
      assert.deepEqual(unknowns(olmWritersAreKnown, [binding('editor')], facts), [
        'ClusterRoleBinding installer: what ClusterRole editor grants could not be read.',
      ]);
    });

    describe('without a cluster', () => {
      const program = (...objects: readonly object[]): Promise<string[]> => {
        const resources = objects.map((object) => resource(object));
        return unjudged(olmWritersAreKnown, resources, planFacts(resources, undefined));
      };

      it('says so of a role that the program does not declare, or only patches', async () => {
        const message = 'ClusterRoleBinding installer: what ClusterRole editor grants could not be read.';
        assert.deepEqual(await program(binding('editor')), [message]);
        const resources = [resource(binding('editor')), patch(EDITOR)];
        const said = await unjudged(olmWritersAreKnown, resources, planFacts(resources, undefined));
        assert.ok(said.includes(message), said.join('\n'));
      });

      it('says nothing of roles that the program declares, nor of those that every cluster has', async () => {
        assert.deepEqual(await program(clusterRole(), binding('installer')), []);
        for (const role of ['cluster-admin', 'admin', 'edit', 'view']) {
          assert.deepEqual(await program(binding(role)), []);
        }
      });

      it('says nothing where all holders are expected to', () => {
        const settings = { writers: ['ServiceAccount inference-stack-operator-system/installer'] };
        assert.deepEqual(unknowns(olmWritersAreKnown, [binding('editor')], { catalogs: [] }, settings), []);
      });

      it('says so of a role that gathers others', async () => {
        const selectors = [{ matchLabels: { tier: 'olm' } }];
        const gathering = withChanges(clusterRole(), [['aggregationRule', 'clusterRoleSelectors'], selectors]);
        assert.deepEqual(await program(gathering), [
          'ClusterRole installer: the roles that it gathers could not be read.',
        ]);
      });
    });
  });
});
