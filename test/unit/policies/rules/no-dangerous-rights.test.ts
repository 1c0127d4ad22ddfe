import assert from 'node:assert/strict';
import { operatorManifests } from '../../../../components/bundle/operator-manifests.ts';
import { leaderElectionRules, operatorClusterRules } from '../../../../components/bundle/operator-rbac.ts';
import { installerRights, type BundleObject } from '../../../../components/fleet/installer-rights.ts';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { noDangerousRights } from '../../../../policies/rules/no-dangerous-rights.ts';
import { binding, clusterRole } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges, type Change } from '../../../support/policies/support.ts';

const RULE = ['rules', 0];
const ADMISSION = 'admissionregistration.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';

function found(...objects: readonly object[]): string[] {
  return violations(noDangerousRights, objects);
}

/** A role with one rule. */
function granting(apiGroup: string, resource: string, verbs: readonly string[], ...changes: readonly Change[]): object {
  return withChanges(clusterRole(), [RULE, { apiGroups: [apiGroup], resources: [resource], verbs }], ...changes);
}

/** The changes that make it the role of a namespace. */
function inNamespace(namespace: string): readonly Change[] {
  return [
    [['kind'], 'Role'],
    [['metadata', 'namespace'], namespace],
  ];
}

describe('no-dangerous-rights', () => {
  it('admits roles without them', () => assert.deepEqual(found(clusterRole(), binding()), []));

  it("admits the operator's own rights, and those of its installer", () => {
    const objects = [...operatorManifests(2).values()] as unknown as BundleObject[];
    const { cluster, namespace } = installerRights('inference-stack-operator-v2', objects);
    const rules = [...operatorClusterRules(2), ...leaderElectionRules(2)];
    for (const granted of [rules, cluster]) {
      assert.deepEqual(found(withChanges(clusterRole(), [['rules'], granted])), []);
    }
    const system = inNamespace('inference-stack-operator-system');
    assert.deepEqual(found(withChanges(clusterRole(), [['rules'], namespace], ...system)), []);
  });

  for (const verb of ['bind', 'escalate', 'impersonate']) {
    it(`refuses the verb ${verb}`, () => {
      assert.deepEqual(found(withChanges(clusterRole(), [[...RULE, 'verbs'], [verb]])), [
        `ClusterRole installer should not grant ${verb} in rules[0]: it lets the holder take more rights.`,
      ]);
    });
  }

  const dangers: readonly (readonly [string, string, readonly string[], string])[] = [
    ['', 'serviceaccounts/token', ['create'], 'lets the holder take more rights'],
    ['', 'nodes/proxy', ['get'], 'lets the holder take more rights'],
    ['', 'secrets', ['get', 'list'], 'shows the Secrets of every namespace'],
    ['', 'secrets', ['watch'], 'shows the Secrets of every namespace'],
    ['', 'pods/exec', ['create'], 'gives the holder the rights of every pod in every namespace'],
    ['', 'pods/attach', ['get'], 'gives the holder the rights of every pod in every namespace'],
    ['', 'pods/ephemeralcontainers', ['patch'], 'gives the holder the rights of every pod in every namespace'],
    [ADMISSION, 'mutatingwebhookconfigurations', ['create', 'update'], 'decides what the cluster admits'],
    [ADMISSION, 'validatingwebhookconfigurations', ['delete'], 'decides what the cluster admits'],
    [ADMISSION, 'validatingadmissionpolicybindings', ['patch'], 'decides what the cluster admits'],
    [CERTIFICATES, 'certificatesigningrequests/approval', ['update'], 'makes certificates in the name of anybody'],
    [CERTIFICATES, 'signers', ['approve'], 'makes certificates in the name of anybody'],
  ];
  for (const [group, resource, verbs, why] of dangers) {
    it(`refuses ${verbs.join(' and ')} on ${resource}`, () => {
      assert.deepEqual(found(granting(group, resource, verbs)), [
        `ClusterRole installer should not grant ${verbs.join(', ')} on ${resource} in rules[0]: it ${why}.`,
      ]);
    });
  }

  it('admits reading of what shows no content, and resources of other groups with the same name', () => {
    assert.deepEqual(found(granting('', 'pods', ['get', 'list', 'watch'])), []);
    assert.deepEqual(found(granting(ADMISSION, 'mutatingwebhookconfigurations', ['get', 'list'])), []);
    assert.deepEqual(found(granting('', 'secrets', ['create'])), []);
    assert.deepEqual(found(granting('example.com', 'secrets', ['get'])), []);
  });

  it('admits what is bound to objects by name', () => {
    const named: Change = [[...RULE, 'resourceNames'], ['mine']];
    assert.deepEqual(found(granting('', 'secrets', ['get'], named)), []);
    assert.deepEqual(found(granting(ADMISSION, 'mutatingwebhookconfigurations', ['patch'], named)), []);
    assert.equal(found(granting('', 'serviceaccounts/token', ['create'], named)).length, 1);
  });

  describe('in a namespace', () => {
    it('admits of a team what is its own', () => {
      for (const [resource, verb] of [['secrets', 'get'] as const, ['pods/exec', 'create'] as const]) {
        assert.deepEqual(found(granting('', resource, [verb], ...inNamespace('team-a'))), []);
      }
    });

    for (const namespace of ['inference-stack-operator-system', 'olmv1-system', 'kube-system']) {
      it(`refuses it in ${namespace}`, () => {
        assert.deepEqual(found(granting('', 'secrets', ['get'], ...inNamespace(namespace))), [
          `Role ${namespace}/installer should not grant get on secrets in rules[0]: it shows the Secrets of namespace ${namespace}, which is for the system.`,
        ]);
      });
    }

    it('refuses the verbs that grant more everywhere', () => {
      assert.equal(found(granting('apps', 'deployments', ['escalate'], ...inNamespace('team-a'))).length, 1);
    });
  });

  it("leaves OLM's own rights alone, unless told otherwise", () => {
    const tokens = granting('', 'serviceaccounts/token', ['create']);
    const role = withChanges(tokens, [['metadata', 'name'], 'operator-controller-manager-role']);
    const secrets = ['operator-controller-manager-role', 'catalogd-manager-role'].map((name) =>
      granting('', 'secrets', ['get', 'list'], ...inNamespace('olmv1-system'), [['metadata', 'name'], name]),
    );
    assert.deepEqual(found(role, ...secrets), []);
    assert.equal(violations(noDangerousRights, [role, ...secrets], undefined, { exempt: [] }).length, 3);
  });

  describe('of a binding', () => {
    const toRole = (namespace: string): readonly Change[] => [
      [['kind'], 'RoleBinding'],
      [['metadata', 'namespace'], namespace],
    ];

    for (const role of ['admin', 'edit']) {
      it(`refuses to give ${role} in every namespace, and in those of the system`, () => {
        const start = 'should not give ServiceAccount installer the role';
        assert.deepEqual(found(binding(role), withChanges(binding(role), ...toRole('kube-system'))), [
          `ClusterRoleBinding installer ${start} ${role} in every namespace: it shows Secrets and opens pods there.`,
          `RoleBinding kube-system/installer ${start} ${role} in namespace kube-system, which is for the system: it shows Secrets and opens pods there.`,
        ]);
        assert.deepEqual(found(withChanges(binding(role), ...toRole('team-a'))), []);
      });
    }

    for (const [kind, name] of [
      ['Group', 'system:unauthenticated'],
      ['User', 'system:anonymous'],
    ] as const) {
      it(`refuses to give anything to ${kind} ${name}`, () => {
        assert.deepEqual(found(withChanges(binding(), [['subjects', 0], { kind, name }])), [
          `ClusterRoleBinding installer should not give ${kind} ${name} the role installer: that is everybody.`,
        ]);
      });
    }

    it("refuses to give a role that is exempt, such as OLM's, to anybody but its holder", () => {
      const role = 'operator-controller-manager-role';
      const given = withChanges(binding(role), ...toRole('olmv1-system'), [['roleRef', 'kind'], 'Role']);
      assert.deepEqual(found(given), [
        `RoleBinding olmv1-system/installer should not give ServiceAccount installer the role ${role}, which is exempt because of its holder.`,
      ]);
      assert.deepEqual(
        found(withChanges(given, [['metadata', 'name'], 'operator-controller-manager-rolebinding'])),
        [],
      );
    });
  });

  describe('of a role that gathers others', () => {
    const gathering = (label: string): object => {
      const clusterRoleSelectors = [{ matchLabels: { [label]: 'true' } }];
      return withChanges(clusterRole(), [['rules'], undefined], [['aggregationRule'], { clusterRoleSelectors }]);
    };

    it('refuses those that Kubernetes gathers for teams, which show Secrets', () => {
      assert.deepEqual(found(gathering('rbac.authorization.k8s.io/aggregate-to-edit')), [
        'ClusterRole installer should gather roles by a label of their own: its aggregationRule gathers admin or edit as well.',
      ]);
    });

    it('admits those of a label of its own, and those that only show', () => {
      assert.deepEqual(found(gathering('rbac.example.com/aggregate-to-models')), []);
      assert.deepEqual(found(gathering('rbac.authorization.k8s.io/aggregate-to-view')), []);
    });
  });

  describe('when a part is known only after the update', () => {
    it('refuses what is known, of any group that may be meant', () => {
      const role = granting('', 'secrets', ['get', UNKNOWN as never], [[...RULE, 'apiGroups'], UNKNOWN]);
      assert.deepEqual(found(role), [
        'ClusterRole installer should not grant get on secrets in rules[0]: it shows the Secrets of every namespace.',
      ]);
      assert.deepEqual(unknowns(noDangerousRights, [role]), [
        'ClusterRole installer: rules[0].apiGroups is known only after the update.',
        'ClusterRole installer: rules[0].verbs[1] is known only after the update.',
      ]);
    });

    it('refuses what grants more in a rule whose resources are not known', () => {
      const role = withChanges(clusterRole(), [
        RULE,
        { apiGroups: ['*'], resources: UNKNOWN, verbs: ['escalate', UNKNOWN] },
      ]);
      assert.deepEqual(found(role), [
        'ClusterRole installer should not grant escalate in rules[0]: it lets the holder take more rights.',
      ]);
    });

    it('says that it does not know where a role reaches', () => {
      const role = granting('', 'secrets', ['get'], ...inNamespace('a'), [['metadata', 'namespace'], UNKNOWN]);
      assert.deepEqual(
        [found(role), unknowns(noDangerousRights, [role])],
        [[], ['Role installer: metadata.namespace is known only after the update.']],
      );
    });
  });

  it('is not stopped by a resource that is called like something that every object of JavaScript has', () => {
    const names = ['constructor', 'toString', '__proto__'];
    assert.deepEqual(
      found(withChanges(clusterRole(), [[...RULE, 'resources'], names], [[...RULE, 'verbs'], ['get']])),
      [],
    );
  });
});
