import assert from 'node:assert/strict';
import { leaderElectionRules, operatorClusterRules } from '../../../../components/bundle/operator-rbac.ts';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { noWildcardRbac } from '../../../../policies/rules/no-wildcard-rbac.ts';
import { binding, clusterRole } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

const RULE = ['rules', 0];

function named(object: object, name: string): object {
  return withChanges(object, [['metadata', 'name'], name]);
}

describe('no-wildcard-rbac', () => {
  it('admits roles that name what they grant', () => {
    assert.deepEqual(violations(noWildcardRbac, [clusterRole(), binding()]), []);
  });

  it("admits the operator's own rights", () => {
    const rules = [...operatorClusterRules(2), ...leaderElectionRules(2)];
    assert.deepEqual(violations(noWildcardRbac, [withChanges(clusterRole(), [['rules'], rules])]), []);
  });

  it("leaves OLM's own rights alone, unless told otherwise", () => {
    const role = withChanges(
      clusterRole(),
      [['metadata', 'name'], 'operator-controller-manager-role'],
      [[...RULE, 'verbs'], ['*']],
    );
    const admin = named(binding('cluster-admin'), 'operator-controller-cluster-admin-rolebinding');
    assert.deepEqual(violations(noWildcardRbac, [role, admin]), []);
    assert.equal(violations(noWildcardRbac, [role, admin], undefined, { exempt: [] }).length, 2);
  });

  for (const name of ['catalogd-x', 'operator-controller-x', 'operator-controller-manager-role']) {
    it(`refuses a binding to cluster-admin that is called ${name}, as if it were OLM's`, () => {
      assert.equal(violations(noWildcardRbac, [named(binding('cluster-admin'), name)]).length, 1);
    });
  }

  it('refuses to give a role that is exempt to anybody but its holder', () => {
    const role = 'operator-controller-manager-role';
    assert.deepEqual(violations(noWildcardRbac, [named(binding(role), 'operator-controller-manager-rolebinding')]), []);
    assert.deepEqual(violations(noWildcardRbac, [binding(role)]), [
      'ClusterRoleBinding installer should not give ServiceAccount installer the role operator-controller-manager-role.',
    ]);
  });

  it('exempts an object of one namespace only', () => {
    const role = withChanges(
      clusterRole(),
      [['kind'], 'Role'],
      [['metadata', 'namespace'], 'team-a'],
      [[...RULE, 'verbs'], ['*']],
    );
    const left = (exempt: string): number => violations(noWildcardRbac, [role], undefined, { exempt: [exempt] }).length;
    assert.deepEqual(['Role team-a/installer', 'Role team-b/installer', 'Role installer'].map(left), [0, 1, 1]);
  });

  describe('when a part is known only after the update', () => {
    const wide = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };

    it('refuses the wildcards of the other rules, and says what it does not know', () => {
      const role = withChanges(
        clusterRole(),
        [['rules', 0], wide],
        [['rules', 1], { apiGroups: [''], resources: ['pods'], verbs: ['get', UNKNOWN] }],
        [['rules', 2], UNKNOWN],
      );
      assert.equal(violations(noWildcardRbac, [role]).length, 3);
      assert.deepEqual(unknowns(noWildcardRbac, [role]), [
        'ClusterRole installer: rules[1].verbs[1] is known only after the update.',
        'ClusterRole installer: rules[2] is known only after the update.',
      ]);
    });

    it('refuses what is known of the same rule', () => {
      const role = withChanges(clusterRole(), [RULE, { ...wide, resources: UNKNOWN, verbs: ['escalate', UNKNOWN] }]);
      assert.deepEqual(violations(noWildcardRbac, [role]), [
        'ClusterRole installer should name what rules[0].apiGroups grants instead of "*".',
      ]);
    });

    it('refuses a binding to cluster-admin, whoever gets it', () => {
      const one = withChanges(binding('cluster-admin'), [['subjects', 0, 'name'], UNKNOWN]);
      const all = withChanges(binding('cluster-admin'), [['subjects'], UNKNOWN]);
      assert.deepEqual(violations(noWildcardRbac, [one, all]), [
        'ClusterRoleBinding installer should not give ServiceAccount (known only after the update) the role cluster-admin.',
        'ClusterRoleBinding installer should not give (known only after the update) the role cluster-admin.',
      ]);
    });

    it('exempts nothing by a name that is not known', () => {
      const role = withChanges(clusterRole(), [['metadata', 'name'], UNKNOWN], [RULE, wide]);
      assert.equal(violations(noWildcardRbac, [role]).length, 3);
    });
  });

  for (const field of ['apiGroups', 'resources', 'verbs', 'nonResourceURLs']) {
    it(`refuses a wildcard in ${field}`, () => {
      assert.deepEqual(violations(noWildcardRbac, [withChanges(clusterRole(), [[...RULE, field], ['*']])]), [
        `ClusterRole installer should name what rules[0].${field} grants instead of "*".`,
      ]);
    });
  }

  it('refuses a binding to cluster-admin', () => {
    assert.deepEqual(violations(noWildcardRbac, [binding('cluster-admin')]), [
      'ClusterRoleBinding installer should not give ServiceAccount installer the role cluster-admin.',
    ]);
  });

  describe('of a role that gathers others', () => {
    const gathering = (selector: object): object =>
      withChanges(clusterRole(), [['rules'], undefined], [['aggregationRule'], { clusterRoleSelectors: [selector] }]);

    it('admits a label of its own', () => {
      const selector = { matchLabels: { 'rbac.example.com/aggregate-to-models': 'true' } };
      assert.deepEqual(violations(noWildcardRbac, [gathering(selector)]), []);
    });

    const open: Record<string, object> = {
      'no condition': {},
      'what another label lacks': { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
      'the label of the roles that Kubernetes brings': {
        matchLabels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
      },
    };
    for (const [what, selector] of Object.entries(open)) {
      it(`refuses ${what}`, () => {
        assert.deepEqual(violations(noWildcardRbac, [gathering(selector)]), [
          'ClusterRole installer should gather roles by a label of their own: its aggregationRule gathers cluster-admin as well.',
        ]);
      });
    }

    it('judges its rules beside selectors that are not known yet', () => {
      const role = withChanges(clusterRole(), [['aggregationRule'], UNKNOWN], [[...RULE, 'verbs'], ['*']]);
      assert.equal(violations(noWildcardRbac, [role]).length, 1);
      assert.equal(unknowns(noWildcardRbac, [role]).length, 1);
    });
  });

  it('is not stopped by a resource that is called like something that every object of JavaScript has', () => {
    const names = ['constructor', 'toString', '__proto__'];
    const role = withChanges(clusterRole(), [[...RULE, 'resources'], names], [[...RULE, 'verbs'], ['*']]);
    assert.equal(violations(noWildcardRbac, [role]).length, 1);
  });
});
