import assert from 'node:assert/strict';
import { leaderElectionRules, OPERATOR_CLUSTER_RULES } from '../../components/bundle/operator-rbac.ts';
import { noWildcardRbac } from '../../policies/rules/no-wildcard-rbac.ts';
import { binding, clusterRole } from './objects.ts';
import { violations, withChanges } from './support.ts';

const RULE = ['rules', 0];

describe('no-wildcard-rbac', () => {
  it('admits roles that name what they grant', () => {
    assert.deepEqual(violations(noWildcardRbac, [clusterRole(), binding()]), []);
  });

  it("admits the operator's own rights", () => {
    const rules = [...OPERATOR_CLUSTER_RULES, ...leaderElectionRules(2)];
    assert.deepEqual(violations(noWildcardRbac, [withChanges(clusterRole(), [['rules'], rules])]), []);
  });

  it("leaves OLM's own roles alone, unless told otherwise", () => {
    const role = withChanges(clusterRole(), [['metadata', 'name'], 'catalogd-manager'], [[...RULE, 'verbs'], ['*']]);
    assert.deepEqual(violations(noWildcardRbac, [role]), []);
    assert.equal(violations(noWildcardRbac, [role], undefined, { exempt: [] }).length, 1);
  });

  for (const field of ['apiGroups', 'resources', 'verbs', 'nonResourceURLs']) {
    it(`refuses a wildcard in ${field}`, () => {
      assert.deepEqual(violations(noWildcardRbac, [withChanges(clusterRole(), [[...RULE, field], ['*']])]), [
        `ClusterRole installer should name what rules[0].${field} grants instead of "*".`,
      ]);
    });
  }

  for (const verb of ['bind', 'escalate', 'impersonate']) {
    it(`refuses the verb ${verb}`, () => {
      assert.deepEqual(violations(noWildcardRbac, [withChanges(clusterRole(), [[...RULE, 'verbs'], [verb]])]), [
        `ClusterRole installer should not grant ${verb} in rules[0]: it lets the holder take more rights.`,
      ]);
    });
  }

  it('refuses tokens of other accounts', () => {
    const role = withChanges(clusterRole(), [
      RULE,
      { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] },
    ]);
    assert.deepEqual(violations(noWildcardRbac, [role]), [
      'ClusterRole installer should not grant create on serviceaccounts/token in rules[0]: it lets the holder take more rights.',
    ]);
  });

  it('refuses a binding to cluster-admin', () => {
    assert.deepEqual(violations(noWildcardRbac, [binding('cluster-admin')]), [
      'ClusterRoleBinding installer should not give ServiceAccount installer the role cluster-admin.',
    ]);
  });
});
