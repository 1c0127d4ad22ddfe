import { CATALOG_STATUS } from '../../../components/guards/writers-guard.ts';
import { accountUser } from '../../../components/guards/writers.ts';
import { CATALOGD, CONTROLLER } from '../../../components/olm/existing.ts';
import { CATALOGS, EXTENSIONS } from '../../../components/olm/resource-types.ts';
import { rulesOf } from '../rights/aggregation.ts';
import { grantsThrough, takesRights } from '../rights/danger.ts';
import type { ClusterAccess } from '../facts.ts';
import { includesAccount, readHolders, type Holder } from '../rights/holder.ts';
import type { ObjectReader } from '../objects/object-reader.ts';
import { CLUSTER_ADMIN } from '../rights/rbac.ts';

/** Whether a Deployment is one of OLM's controllers, wherever it is. */
export function isOlmController(object: ObjectReader): boolean {
  const name = object.text('metadata', 'name') ?? '';
  return object.kind === 'Deployment' && [CONTROLLER.name, CATALOGD.name].includes(name);
}

/** The user name under which the API server knows a controller. */
export function userOf(controller: ObjectReader): string {
  const account = controller.text('spec', 'template', 'spec', 'serviceAccountName') ?? 'default';
  return accountUser(controller.text('metadata', 'namespace') ?? '', account);
}

const OBJECT_SETS = 'clusterobjectsets';

/**
 * Writing these makes OLM act. The status of a catalog says where OLM downloads its content, and a ClusterObjectSet, which
 * exists behind an alpha gate only, holds the objects to install. Deleting takes an operator away, and gives nobody a right.
 */
const WRITING = {
  group: EXTENSIONS.group,
  resources: [EXTENSIONS.plural, CATALOGS.plural, CATALOG_STATUS, OBJECT_SETS],
  verbs: ['create', 'update', 'patch'],
};

/** How a role leads to writing ClusterExtensions or ClusterCatalogs. */
export interface Way {
  /** `create, patch on clusterextensions`; one for each rule and resource. */
  readonly rights: readonly string[];
  /** True if the role grants it directly, false if it lets its holder take the rights of others. */
  readonly isDirect: boolean;
  /** Whether the guard of writers covers everything that the rights reach. */
  readonly isGuarded: boolean;
}

/** What rules lead to, given by a binding of the cluster, or by one in a namespace of OLM. */
export function wayOf(rules: readonly ObjectReader[], isOfCluster: boolean): Way | undefined {
  // A namespaced role grants nothing on cluster-scoped objects.
  const direct = isOfCluster ? rules.flatMap((rule) => grantsThrough(rule, WRITING)) : [];
  const isGuarded = !direct.some((right) => right.endsWith(` on ${OBJECT_SETS}`));
  if (direct.length > 0) return { rights: unique(direct), isDirect: true, isGuarded };
  const rights = rules.flatMap((rule) => takesRights(rule, isOfCluster));
  return rights.length === 0 ? undefined : { rights: unique(rights), isDirect: false, isGuarded: false };
}

export function unique(words: readonly string[]): string[] {
  return [...new Set(words)].sort();
}

/** Whether rules grant everything. Their holder gains nothing from OLM. */
export function grantsEverything(rules: readonly ObjectReader[]): boolean {
  return rules.some((rule) => ['verbs', 'apiGroups', 'resources'].every((field) => rule.strings(field).includes('*')));
}

/** The rules that a binding gives its holders; none if its role does not exist. */
export function rulesGiven(binding: ObjectReader, { clusterRoles, roles }: ClusterAccess): ObjectReader[] {
  const [kind, name] = ['kind', 'name'].map((key) => binding.text('roleRef', key));
  const namespace = binding.text('metadata', 'namespace');
  const isNamed = (role: ObjectReader): boolean => role.text('metadata', 'name') === name;
  const role =
    kind === 'Role'
      ? roles.find((each) => isNamed(each) && each.text('metadata', 'namespace') === namespace)
      : clusterRoles.find(isNamed);
  return role === undefined ? [] : rulesOf(role, clusterRoles);
}

/**
 * Whether OLM installs as cluster-admin. If so, anybody who tells it what to install is cluster-admin, too. The binding
 * decides, not the version.
 */
export function actsAsClusterAdmin(access: ClusterAccess): boolean {
  const users = access.controllers.filter((each) => each.text('metadata', 'name') === CONTROLLER.name).map(userOf);
  const isOlm = (holder: Holder): boolean => users.some((user) => includesAccount(holder, user));
  return access.bindings.some(
    (binding) =>
      binding.kind === 'ClusterRoleBinding' &&
      readHolders(binding).some(isOlm) &&
      (binding.text('roleRef', 'name') === CLUSTER_ADMIN || grantsEverything(rulesGiven(binding, access))),
  );
}
