import type { KubernetesObject } from '../../controller/src/runtime/object.ts';
import { CATALOGS, EXTENSIONS } from '../olm/resource-types.ts';
import { celList, celText, celTexts, type Guard } from './policy.ts';
import { accountUser, describeWriters, type Writers } from './writers.ts';

export const WRITERS_GUARD = 'inference-stack-fleet-writers';

/** Kubernetes deletes what lost its owner, by an account of its own or as the controller manager. */
const COLLECTORS: readonly string[] = [
  accountUser('kube-system', 'generic-garbage-collector'),
  'system:kube-controller-manager',
];

/**
 * Holds the writers of ClusterExtensions and ClusterCatalogs to a list. From 1.11 on OLM acts as cluster-admin, so that
 * whoever writes one of them is one, however narrow the role that lets them.
 *
 * Status and finalizers are not what it is about: that is all that OLM's controllers change, and nothing comes of it.
 */
export function writersGuard(writers: Writers): Guard {
  const allowed = celText(`. Only these may: ${describeWriters(writers)}. See olm.writers of the fleet.`);
  return {
    name: WRITERS_GUARD,
    resources: { apiGroup: EXTENSIONS.group, apiVersions: ['*'], plurals: [EXTENSIONS.plural, CATALOGS.plural] },
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    conditions: [{ name: 'is-more-than-finalizers', expression: IS_WRITTEN }],
    variables: LISTS.map((name) => ({ name, expression: celList(writers[name]) })),
    validations: [
      {
        expression: [
          `request.userInfo.username in variables.users + variables.appliers + ${celList(COLLECTORS)}`,
          '(has(request.userInfo.groups) && request.userInfo.groups.exists(group, group in variables.groups))',
        ].join(' || '),
        messageExpression: `request.kind.kind + ' ' + request.name + ' must not be written by ' + request.userInfo.username + ${allowed}`,
      },
    ],
  };
}

const LISTS = ['users', 'groups', 'appliers'] as const;

/** What makes OLM act, or takes the object away: labels decide which catalog is asked, owners whether it stays. */
const IS_WRITTEN = [
  "request.operation != 'UPDATE'",
  ...['spec', 'metadata.labels', 'metadata.annotations', 'metadata.ownerReferences'].map(
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

/** The writers that a cluster is held to: those of the guard, where a binding makes it refuse. */
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
