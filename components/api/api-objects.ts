import type { PolicyRule } from '../../packages/kube/policy-rule.ts';
import { MANAGED_BY } from '../../packages/api/labels.ts';
import type { PlainObject } from '../plain-object.ts';
import type { AppliedDefinition } from './inference-stack-api.ts';
import type { StackRole } from './stack-roles.ts';

export interface DefinitionObject extends PlainObject<'apiextensions.k8s.io/v1', 'CustomResourceDefinition'> {
  readonly spec: AppliedDefinition['spec'];
}

export interface RoleObject extends PlainObject<'rbac.authorization.k8s.io/v1', 'ClusterRole'> {
  readonly rules: readonly PolicyRule[];
}

/** Whether `pulumi destroy` is kept from touching the definitions, unless told otherwise. */
export const PROTECT_API = true;

/** A definition of the API as clusters get it. */
export function definitionObject({ metadata, spec }: AppliedDefinition): DefinitionObject {
  const { name, labels, annotations } = metadata;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, labels: { ...labels, ...MANAGED_BY }, ...(annotations === undefined ? {} : { annotations }) },
    spec,
  };
}

/** A role for people as clusters get it. */
export function stackRoleObject({ name, labels, rules }: StackRole): RoleObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels: { ...labels, ...MANAGED_BY } },
    rules,
  };
}
