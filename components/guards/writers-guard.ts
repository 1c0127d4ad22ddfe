import type { KubernetesObject } from '../../packages/kube/object.ts';
import { CATALOGD } from '../olm/existing.ts';
import { CATALOGS, EXTENSIONS } from '../olm/resource-types.ts';
import { celList, celText, celTexts, type Guard } from './policy.ts';
import { accountUser, describeWriters, type Writers } from './writers.ts';

export const WRITERS_GUARD = 'inference-stack-fleet-writers';

/** Users as which Kubernetes deletes objects that lost their owner: an account for that, or the controller manager. */
const COLLECTORS: readonly string[] = [
  accountUser('kube-system', 'generic-garbage-collector'),
  'system:kube-controller-manager',
];

/** The status says where OLM downloads a catalog's content: from any host with a publicly trusted certificate. */
export const CATALOG_STATUS = `${CATALOGS.plural}/status`;

/**
 * Admits only listed writers of ClusterExtensions and ClusterCatalogs. From 1.11 on OLM acts as cluster-admin, so
 * whoever writes one of them is cluster-admin, too, however narrow their role is.
 *
 * Catalogd may write the status of a ClusterCatalog as well. Finalizers and the status of a ClusterExtension are left
 * alone: OLM's controllers change them, and OLM does nothing because of them.
 */
export function writersGuard(writers: Writers): Guard {
  const allowed = celText(`. Only these may: ${describeWriters(writers)}. Whoever runs the fleet keeps this list.`);
  return {
    name: WRITERS_GUARD,
    resources: {
      apiGroup: EXTENSIONS.group,
      apiVersions: ['*'],
      plurals: [EXTENSIONS.plural, CATALOGS.plural, CATALOG_STATUS],
    },
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    conditions: [{ name: 'is-more-than-finalizers', expression: IS_WRITTEN }],
    variables: LISTS.map((name) => ({ name, expression: celList(writers[name]) })),
    validations: [
      {
        expression: [
          `request.userInfo.username in variables.users + variables.appliers + ${celList(COLLECTORS)}`,
          IS_CATALOGD,
          '(has(request.userInfo.groups) && request.userInfo.groups.exists(group, group in variables.groups))',
        ].join(' || '),
        messageExpression: `request.kind.kind + ' ' + request.name + ' must not be written by ' + request.userInfo.username + ${allowed}`,
      },
    ],
  };
}

/** An API server leaves out the subresource where there is none. */
const IS_CATALOGD = `(has(request.subResource) && request.subResource == 'status' && request.userInfo.username == ${celText(accountUser(CATALOGD.namespace, CATALOGD.name))})`;

const LISTS = ['users', 'groups', 'appliers'] as const;

/**
 * Changes that make OLM act or that remove the object: labels decide which catalog is used, owners whether the object
 * stays. Status changes only in requests for the status subresource, and those of ClusterExtensions do not come here.
 */
const IS_WRITTEN = [
  "request.operation != 'UPDATE'",
  ...['spec', 'status', 'metadata.labels', 'metadata.annotations', 'metadata.ownerReferences'].map(
    (field) => `${presentOf('object', field)} != ${presentOf('oldObject', field)}`,
  ),
].join(' || ');

/** A field as a list of one value, or of none where the field is not there. */
function presentOf(object: string, field: string): string {
  return `(has(${object}.${field}) ? [${object}.${field}] : [])`;
}

interface PolicyFields {
  readonly spec?: { readonly variables?: readonly { readonly name?: string; readonly expression?: string }[] };
}

interface BindingFields {
  readonly spec?: { readonly policyName?: string; readonly validationActions?: readonly string[] };
}

/** The writers that a cluster enforces: those of the guard, if a binding makes it refuse. */
export function enforcedWriters(
  policies: readonly KubernetesObject[],
  bindings: readonly KubernetesObject[],
): Writers | undefined {
  const policy = policies.find(({ metadata }) => metadata.name === WRITERS_GUARD);
  const isEnforced = bindings.some((binding) => {
    const { spec } = binding as BindingFields;
    return spec?.policyName === WRITERS_GUARD && spec.validationActions?.includes('Deny') === true;
  });
  if (policy === undefined || !isEnforced) return undefined;
  const { spec } = policy as PolicyFields;
  const [users, groups, appliers] = LISTS.map(
    (list) => celTexts(spec?.variables?.find(({ name }) => name === list)?.expression ?? '') ?? [],
  );
  return { users: users ?? [], groups: groups ?? [], appliers: appliers ?? [] };
}
