import { join } from 'node:path';
import { checkout } from '../../packages/lib/checkout.ts';
import { OPERATOR_NAMESPACE, PACKAGE } from '../../packages/api/operator-names.ts';
import { STACK_TYPES } from '../../packages/api/kinds.ts';
import type { KubernetesObject, ResourceType } from '../../packages/kube/object.ts';
import { MANAGED_BY, MANAGED_BY_LABEL, MANAGED_BY_OPERATOR } from '../../packages/api/labels.ts';
import { enforcedWriters } from '../../components/guards/writers-guard.ts';
import type { ClusterAccess, Facts } from '../knowledge/facts.ts';
import { guardOfBinding, guardOfPolicy } from '../knowledge/olm/guard.ts';
import type { ObjectReader } from '../knowledge/objects/object-reader.ts';
import { isOlmController } from '../knowledge/olm/access.ts';
import type { Subject } from '../knowledge/rule.ts';
import { isStack } from '../knowledge/stacks/stack.ts';
import { subjectOf } from '../knowledge/subject.ts';
import { listOrNone, readCluster } from '../facts/cluster.ts';
import type { ReadClient } from '../facts/cluster.ts';
import { readReleased } from '../facts/released.ts';
import { CATALOGS, CLUSTER_ROLES } from '../../components/olm/resource-types.ts';

const LOCK = join(checkout, 'catalog/catalog.lock.yaml');

/** A cluster as the rules see it. */
export interface AuditInput {
  readonly subjects: readonly Subject[];
  readonly facts: Facts;
}

const MANAGERS: readonly string[] = [MANAGED_BY_OPERATOR[MANAGED_BY_LABEL], MANAGED_BY[MANAGED_BY_LABEL]];
/** OLM writes the name of the extension onto everything that it installs for it. */
const OWNER_LABEL = 'olm.operatorframework.io/owner-name';

/** The group of every ServiceAccount; with a namespace behind it, of those of that namespace. */
const ACCOUNTS = 'system:serviceaccounts';

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;

/** Kinds of which the fleet owns some objects among many others. */
const SHARED_TYPES: readonly ResourceType[] = [
  CLUSTER_ROLES,
  { ...RBAC, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', namespaced: false },
  { ...RBAC, kind: 'Role', plural: 'roles', namespaced: true },
  { ...RBAC, kind: 'RoleBinding', plural: 'rolebindings', namespaced: true },
  { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
  { ...ADMISSION, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
  { ...ADMISSION, kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings' },
  { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
];

/** Reads everything that concerns the fleet. Of everything else it reads only roles and bindings. */
export async function collect(client: ReadClient): Promise<AuditInput> {
  const [cluster, catalogs, shared, stacks] = await Promise.all([
    readCluster(client, [PACKAGE]),
    listOrNone(client, CATALOGS),
    listEach(client, SHARED_TYPES),
    listEach(client, STACK_TYPES),
  ]);
  const ours = shared.filter(isOfFleet);
  const made = Map.groupBy(ours, ownerOf);
  const known = new Set(stacks.map(stackKey));
  const others = ours.filter((object) => !known.has(ownerOf(object)));
  const objects = [...cluster.extensions, ...catalogs, ...cluster.definitions, ...others];
  return {
    subjects: [...objects.map(subjectOf), ...stacks.map((stack) => stackSubject(stack, made.get(stackKey(stack))))],
    facts: { ...readReleased(LOCK), catalogs: cluster.catalogs, cluster: { ...cluster, access: accessOf(shared) } },
  };
}

/** Everybody's rights: OLM does what its objects say, no matter who wrote them. */
function accessOf(shared: readonly ObjectReader[]): ClusterAccess {
  const ofKind = (...kinds: readonly string[]): ObjectReader[] => shared.filter(({ kind }) => kinds.includes(kind));
  const plain = (kind: string): KubernetesObject[] => ofKind(kind).map((object) => object.plain() as KubernetesObject);
  const writers = enforcedWriters(plain('ValidatingAdmissionPolicy'), plain('ValidatingAdmissionPolicyBinding'));
  return {
    clusterRoles: ofKind('ClusterRole'),
    roles: ofKind('Role'),
    bindings: ofKind('ClusterRoleBinding', 'RoleBinding'),
    controllers: ofKind('Deployment').filter(isOlmController),
    ...(writers === undefined ? {} : { writers }),
  };
}

/** What an operator made for a stack is judged with the stack, because that is where to fix it. */
function stackSubject(stack: ObjectReader, made: readonly ObjectReader[] | undefined): Subject {
  return { ...subjectOf(stack), ...(made === undefined ? {} : { made }) };
}

function stackKey(stack: ObjectReader): string {
  return [stack.kind, stack.text('metadata', 'namespace'), stack.text('metadata', 'name')].join(' ');
}

/** The key of the stack that owns an object. Without an owner it is a key that no stack has. */
function ownerOf(object: ObjectReader): string {
  const owner = object.list('metadata', 'ownerReferences').find(isStack);
  return [owner?.kind ?? '', object.text('metadata', 'namespace'), owner?.text('name')].join(' ');
}

async function listEach(client: ReadClient, types: readonly ResourceType[]): Promise<ObjectReader[]> {
  return (await Promise.all(types.map((type) => listOrNone(client, type)))).flat();
}

function isOfFleet(object: ObjectReader): boolean {
  const names = [object.text('metadata', 'name'), object.text('metadata', 'labels', OWNER_LABEL)];
  return (
    names.some((name) => name?.startsWith(PACKAGE)) ||
    MANAGERS.includes(object.text('metadata', 'labels', MANAGED_BY_LABEL) ?? '') ||
    object.text('metadata', 'namespace') === OPERATOR_NAMESPACE ||
    (guardOfPolicy(object) ?? guardOfBinding(object)) !== undefined ||
    object.list('subjects').some(isOperator)
  );
}

/** A binding can name accounts in three ways: as ServiceAccounts, as users, and by groups that all of them are in. */
function isOperator(subject: ObjectReader): boolean {
  const name = subject.text('name') ?? '';
  return (
    subject.text('namespace') === OPERATOR_NAMESPACE ||
    name === ACCOUNTS ||
    name === `${ACCOUNTS}:${OPERATOR_NAMESPACE}` ||
    name.startsWith(`system:serviceaccount:${OPERATOR_NAMESPACE}:`)
  );
}
