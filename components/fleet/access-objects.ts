import { MANAGED_BY } from '../../packages/api/labels.ts';
import {
  OPERATOR_NAMESPACE,
  OPERATOR_PULL_SECRET,
  operatorNames,
  POD_SECURITY,
  POD_SECURITY_LABEL,
} from '../../packages/api/operator-names.ts';
import type { PolicyRule } from '../../packages/kube/policy-rule.ts';
import type { PlainObject } from '../plain-object.ts';
import { installerRights, type BundleObject } from './installer-rights.ts';

const RBAC = 'rbac.authorization.k8s.io';

type Rbac<Kind extends string> = PlainObject<`${typeof RBAC}/v1`, Kind>;

/** The operators' namespace. */
export function operatorNamespace(): PlainObject<'v1', 'Namespace'> {
  const labels = { ...MANAGED_BY, [POD_SECURITY_LABEL]: POD_SECURITY };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OPERATOR_NAMESPACE, labels } };
}

export interface PullSecretObject<Content> extends PlainObject<'v1', 'Secret'> {
  readonly type: 'kubernetes.io/dockerconfigjson';
  readonly stringData: Content;
}

/** The Secret that bundles name: if it were missing, the kubelet would warn about every pod. */
export function pullSecretObject<Content>(stringData: Content): PullSecretObject<Content> {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: namespaced(OPERATOR_PULL_SECRET),
    type: 'kubernetes.io/dockerconfigjson',
    stringData,
  };
}

/** What is in that Secret: a Docker config, or one without credentials. */
export function pullSecretContent<Text>(dockerConfig: Text | undefined): Readonly<Record<string, Text | string>> {
  return { '.dockerconfigjson': dockerConfig ?? '{"auths":{}}' };
}

/** Operators may write the Lease of their major but create none, so that no other can appear. */
export function leaseObject(major: number): PlainObject<'coordination.k8s.io/v1', 'Lease'> {
  const { operator } = operatorNames(major);
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: namespaced(operator) };
}

/** The account that OLM installs a major with, and its rights. */
export interface InstallerObjects {
  readonly account: PlainObject<'v1', 'ServiceAccount'>;
  readonly clusterRole: Rbac<'ClusterRole'> & { readonly rules: readonly PolicyRule[] };
  readonly clusterBinding: Rbac<'ClusterRoleBinding'> & Binding;
  readonly role: Rbac<'Role'> & { readonly rules: readonly PolicyRule[] };
  readonly binding: Rbac<'RoleBinding'> & Binding;
}

interface Binding {
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects: { readonly kind: string; readonly name: string; readonly namespace: string }[];
}

/** The installer of a major, with exactly the rights that installing these objects needs. */
export function installerObjects(major: number, objects: readonly BundleObject[]): InstallerObjects {
  const { operator } = operatorNames(major);
  const name = installerName(major);
  const rights = installerRights(operator, objects);
  const apiVersion = `${RBAC}/v1`;
  const subjects = [{ kind: 'ServiceAccount', name, namespace: OPERATOR_NAMESPACE }];
  const metadata = { name, labels: MANAGED_BY };
  const bindingTo = (kind: string): Binding => ({ roleRef: { apiGroup: RBAC, kind, name }, subjects });
  return {
    account: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespaced(name) },
    clusterRole: { apiVersion, kind: 'ClusterRole', metadata, rules: rights.cluster },
    clusterBinding: { apiVersion, kind: 'ClusterRoleBinding', metadata, ...bindingTo('ClusterRole') },
    role: { apiVersion, kind: 'Role', metadata: namespaced(name), rules: rights.namespace },
    binding: { apiVersion, kind: 'RoleBinding', metadata: namespaced(name), ...bindingTo('Role') },
  };
}

/** The name of the account that OLM installs a major with, and of its roles and bindings. */
export function installerName(major: number): string {
  return `${operatorNames(major).operator}-installer`;
}

function namespaced(name: string): PlainObject['metadata'] {
  return { name, namespace: OPERATOR_NAMESPACE, labels: MANAGED_BY };
}
