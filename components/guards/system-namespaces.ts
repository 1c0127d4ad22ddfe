import { OPERATOR_NAMESPACE } from '../../packages/api/operator-names.ts';
import { CONTROLLER } from '../olm/existing.ts';

/** Namespaces whose accounts may do more than any team. Kubernetes' own namespaces start with a reserved prefix. */
export const SYSTEM_NAMESPACES: readonly string[] = [OPERATOR_NAMESPACE, CONTROLLER.namespace];
export const RESERVED = 'kube-';

export function isSystemNamespace(namespace: string): boolean {
  return SYSTEM_NAMESPACES.includes(namespace) || namespace.startsWith(RESERVED);
}
