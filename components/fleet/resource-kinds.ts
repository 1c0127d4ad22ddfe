/** What the API server calls the objects of a kind, and whether they live in a namespace. */
export interface ResourceKind {
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/**
 * The kinds that OLM accepts in a registry+v1 bundle and that an operator like ours can bring. Any other kind is
 * refused, because rights for it would be a guess.
 */
const KINDS: Readonly<Record<string, ResourceKind>> = {
  ConfigMap: { apiGroup: '', resource: 'configmaps', namespaced: true },
  Service: { apiGroup: '', resource: 'services', namespaced: true },
  ServiceAccount: { apiGroup: '', resource: 'serviceaccounts', namespaced: true },
  'Deployment.apps': { apiGroup: 'apps', resource: 'deployments', namespaced: true },
  'PodDisruptionBudget.policy': { apiGroup: 'policy', resource: 'poddisruptionbudgets', namespaced: true },
  'NetworkPolicy.networking.k8s.io': { apiGroup: 'networking.k8s.io', resource: 'networkpolicies', namespaced: true },
  'PriorityClass.scheduling.k8s.io': { apiGroup: 'scheduling.k8s.io', resource: 'priorityclasses', namespaced: false },
  'Role.rbac.authorization.k8s.io': { apiGroup: 'rbac.authorization.k8s.io', resource: 'roles', namespaced: true },
  'RoleBinding.rbac.authorization.k8s.io': {
    apiGroup: 'rbac.authorization.k8s.io',
    resource: 'rolebindings',
    namespaced: true,
  },
  'ClusterRole.rbac.authorization.k8s.io': {
    apiGroup: 'rbac.authorization.k8s.io',
    resource: 'clusterroles',
    namespaced: false,
  },
  'ClusterRoleBinding.rbac.authorization.k8s.io': {
    apiGroup: 'rbac.authorization.k8s.io',
    resource: 'clusterrolebindings',
    namespaced: false,
  },
  'ServiceMonitor.monitoring.coreos.com': {
    apiGroup: 'monitoring.coreos.com',
    resource: 'servicemonitors',
    namespaced: true,
  },
  'PrometheusRule.monitoring.coreos.com': {
    apiGroup: 'monitoring.coreos.com',
    resource: 'prometheusrules',
    namespaced: true,
  },
};

/** The resource of an object's kind; undefined for kinds that are not known here. */
export function resourceKindOf(apiVersion: string, kind: string): ResourceKind | undefined {
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
  return KINDS[`${kind}${group}`];
}
