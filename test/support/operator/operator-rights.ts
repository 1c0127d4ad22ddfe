import { definedOnly } from '../../../packages/lib/values.ts';
import { leaderElectionRules, operatorClusterRules } from '../../../components/bundle/operator-rbac.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { OPERATOR_NAMESPACE } from './operator.ts';

const RBAC = 'rbac.authorization.k8s.io';

function rbacType(kind: string, plural: string, namespaced: boolean): ResourceType {
  return { group: RBAC, version: 'v1', kind, plural, namespaced };
}

/** Binds what the bundle's manifests grant to a user; of another bundle than that of this process, if rules are given. */
export async function grantOperatorRights(
  client: Client,
  user: string,
  ofCluster: unknown = operatorClusterRules(1),
): Promise<void> {
  const subject = { kind: 'User', name: user, apiGroup: RBAC };
  const grant = async (scope: 'ClusterRole' | 'Role', rules: unknown, namespace?: string): Promise<void> => {
    const metadata = definedOnly({ name: 'operator', namespace });
    const object = (kind: string, rest: object): KubernetesObject => ({
      apiVersion: `${RBAC}/v1`,
      kind,
      metadata,
      ...rest,
    });
    const namespaced = scope === 'Role';
    await client.create(rbacType(scope, `${scope.toLowerCase()}s`, namespaced), object(scope, { rules }));
    const binding = `${scope}Binding`;
    await client.create(
      rbacType(binding, `${binding.toLowerCase()}s`, namespaced),
      object(binding, { subjects: [subject], roleRef: { apiGroup: RBAC, kind: scope, name: 'operator' } }),
    );
  };
  await grant('ClusterRole', ofCluster);
  await grant('Role', leaderElectionRules(1), OPERATOR_NAMESPACE);
}
