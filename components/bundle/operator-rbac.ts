import { GROUP, INFERENCE_STACK, MODEL_ORCHESTRA } from '../../packages/api/constants.ts';
import type { PolicyRule } from '../../packages/kube/policy-rule.ts';
import { operatorNames } from '../../packages/api/operator-names.ts';

const READ = ['get', 'list', 'watch'] as const;
/** Server-side apply creates and patches; pruning deletes. Nothing is ever replaced by update. */
const MANAGE = [...READ, 'create', 'patch', 'delete'] as const;

const STACKS = [INFERENCE_STACK.plural, MODEL_ORCHESTRA.plural];

const LEASES = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };

/**
 * Exactly what the controller does across the cluster: no wildcards, and no Secrets. If a stack refers to something
 * that does not exist, its pods and their Events show it.
 */
export function operatorClusterRules(major: number): readonly PolicyRule[] {
  // Another installation of the same major may have its Lease in another namespace. It is left alone while it holds that Lease.
  return [...CLUSTER_RULES, { ...LEASES, resourceNames: [operatorNames(major).operator], verbs: ['get'] }];
}

const CLUSTER_RULES: readonly PolicyRule[] = [
  { apiGroups: [GROUP], resources: STACKS, verbs: READ },
  { apiGroups: [GROUP], resources: STACKS.map((plural) => `${plural}/status`), verbs: ['patch'] },
  // Clusters that enforce owner references require this right to set blockOwnerDeletion.
  { apiGroups: [GROUP], resources: STACKS.map((plural) => `${plural}/finalizers`), verbs: ['update'] },
  {
    apiGroups: [''],
    resources: ['configmaps', 'persistentvolumeclaims', 'serviceaccounts', 'services'],
    verbs: MANAGE,
  },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: MANAGE },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: MANAGE },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'], verbs: MANAGE },
  // Needed to tell a stack that nothing will serve its Ingress.
  { apiGroups: ['networking.k8s.io'], resources: ['ingressclasses'], verbs: ['list'] },
  { apiGroups: ['keda.sh'], resources: ['scaledobjects'], verbs: MANAGE },
  { apiGroups: ['monitoring.coreos.com'], resources: ['servicemonitors'], verbs: MANAGE },
  { apiGroups: [''], resources: ['nodes', 'pods'], verbs: READ },
  // Listing is for pods that wait for a volume: only Events say which one.
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'list'] },
];

/**
 * Leader election, in the operators' own namespace. An operator reads the Leases of all majors, since it takes a stack
 * over from another one only when that one is gone; it writes its own, which is made beforehand, and no other.
 */
export function leaderElectionRules(major: number): readonly PolicyRule[] {
  return [
    { ...LEASES, verbs: READ },
    { ...LEASES, resourceNames: [operatorNames(major).operator], verbs: ['update'] },
  ];
}
