import type { PolicyRule } from '../../packages/kube/policy-rule.ts';
import type { AppliedDefinition } from './inference-stack-api.ts';

/** A ClusterRole for people who work with the stacks of one kind. */
export interface StackRole {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
}

const READ = ['get', 'list', 'watch'] as const;
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'] as const;

/**
 * Roles to view and to edit the stacks of a definition. Kubernetes adds them to its own roles `view`, `edit` and `admin`, so
 * whoever has one of those in a namespace has the same say over its stacks as over its Deployments. Nobody may write
 * their status: it is the memory of the operators, who claim stacks in it.
 */
export function stackRoles({ metadata, spec }: Pick<AppliedDefinition, 'metadata' | 'spec'>): readonly StackRole[] {
  const { view, edit } = stackRoleNames(metadata.name);
  const { plural } = spec.names;
  const reading = { apiGroups: [spec.group], resources: [plural, `${plural}/status`], verbs: READ };
  const writing = { apiGroups: [spec.group], resources: [plural], verbs: WRITE };
  return [
    { name: view, labels: partOf('view', 'edit', 'admin'), rules: [reading] },
    { name: edit, labels: partOf('edit', 'admin'), rules: [reading, writing] },
  ];
}

/** The names of a definition's roles. They begin with its own name, which no other API in the cluster can have. */
export function stackRoleNames(definition: string): { readonly view: string; readonly edit: string } {
  return { view: `${definition}-view`, edit: `${definition}-edit` };
}

/** The labels by which Kubernetes adds a role to its own ones. */
function partOf(...roles: readonly string[]): Record<string, string> {
  return Object.fromEntries(roles.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']));
}
