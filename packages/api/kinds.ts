import { GROUP, INFERENCE_STACK, MODEL_ORCHESTRA, STORAGE_VERSION, type ResourceNames } from './constants.ts';
import type { OwnedKind } from '../kube/apply/owned.ts';
import type { ResourceType } from '../kube/object.ts';
import { CLAIMS, namespaced } from '../kube/resource-types.ts';

/** A kind of stacks, in the stored version unless another is given. */
export function stackType({ kind, plural }: ResourceNames, version: string = STORAGE_VERSION): ResourceType {
  return namespaced(GROUP, version, kind, plural);
}

/** Every kind of stacks, under its present and its earlier name. */
export const STACK_TYPES: readonly ResourceType[] = [INFERENCE_STACK, MODEL_ORCHESTRA].map((names) => stackType(names));

/** Everything that a stack is made of. */
export const OWNED_KINDS: readonly OwnedKind[] = [
  { type: namespaced('', 'v1', 'ServiceAccount', 'serviceaccounts') },
  { type: CLAIMS },
  { type: namespaced('', 'v1', 'ConfigMap', 'configmaps') },
  { type: namespaced('', 'v1', 'Service', 'services') },
  { type: namespaced('apps', 'v1', 'Deployment', 'deployments') },
  { type: namespaced('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies') },
  { type: namespaced('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets') },
  { type: namespaced('networking.k8s.io', 'v1', 'Ingress', 'ingresses') },
  { type: namespaced('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies') },
  { type: namespaced('keda.sh', 'v1alpha1', 'ScaledObject', 'scaledobjects'), optional: true },
  { type: namespaced('monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'), optional: true },
];
