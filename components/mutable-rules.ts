import type * as k8s from '@pulumi/kubernetes';
import type { PolicyRule } from '../packages/kube/policy-rule.ts';

/** Rules of a role as Pulumi's types want them, whose lists may be changed. */
export function mutableRules(rules: readonly PolicyRule[]): k8s.types.input.rbac.v1.PolicyRule[] {
  return rules.map(({ apiGroups, resources, verbs, resourceNames }) => ({
    apiGroups: [...apiGroups],
    resources: [...resources],
    verbs: [...verbs],
    ...(resourceNames === undefined ? {} : { resourceNames: [...resourceNames] }),
  }));
}
