import { OPERATOR_NAMESPACE, PACKAGE, operatorNames } from '../../packages/api/operator-names.ts';
import { leaderElectionRules, operatorClusterRules } from './operator-rbac.ts';

/** Where the controller serves metrics and health. */
export const METRICS_PORT = 8080;
export const HEALTH_PORT = 8081;

/** A Kubernetes object, as far as a bundle needs to know it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

/** Labels that select one major's pods; they must not change between versions of it. */
export function operatorLabels(major: number): Record<string, string> {
  return { 'app.kubernetes.io/name': PACKAGE, 'app.kubernetes.io/instance': operatorNames(major).operator };
}

/**
 * The objects of one major beside its Deployment. They are manifests of their own because OLM names what it derives from
 * a CSV's permissions after the version, which would make every upgrade replace the operator's identity.
 */
export function operatorManifests(major: number): ReadonlyMap<string, Manifest> {
  const { operator, leaderElection, metricsService } = operatorNames(major);
  const labels = operatorLabels(major);
  const rbac = 'rbac.authorization.k8s.io';
  const subjects = [{ kind: 'ServiceAccount', name: operator, namespace: OPERATOR_NAMESPACE }];
  const describe = (apiVersion: string, kind: string, name: string): Manifest => ({
    apiVersion,
    kind,
    metadata: { name, labels },
  });
  return new Map<string, Manifest>([
    ['service-account', describe('v1', 'ServiceAccount', operator)],
    ['cluster-role', { ...describe(`${rbac}/v1`, 'ClusterRole', operator), rules: operatorClusterRules(major) }],
    [
      'cluster-role-binding',
      {
        ...describe(`${rbac}/v1`, 'ClusterRoleBinding', operator),
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: operator },
        subjects,
      },
    ],
    ['leader-election-role', { ...describe(`${rbac}/v1`, 'Role', leaderElection), rules: leaderElectionRules(major) }],
    [
      'leader-election-role-binding',
      {
        ...describe(`${rbac}/v1`, 'RoleBinding', leaderElection),
        roleRef: { apiGroup: rbac, kind: 'Role', name: leaderElection },
        subjects,
      },
    ],
    [
      'metrics-service',
      {
        ...describe('v1', 'Service', metricsService),
        spec: { selector: labels, ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics' }] },
      },
    ],
  ]);
}
