import { definitionObject, stackRoleObject } from '../../components/api/api-objects.ts';
import type { AppliedDefinition } from '../../components/api/inference-stack-api.ts';
import { stackRoles } from '../../components/api/stack-roles.ts';
import { unmetNeeds } from '../../components/api/unmet-needs.ts';
import { catalogObject, imageSource } from '../../components/catalog/catalog-object.ts';
import type { Verified } from '../../components/catalog/catalog-source.ts';
import {
  installerName,
  installerObjects,
  leaseObject,
  operatorNamespace,
  pullSecretContent,
  pullSecretObject,
} from '../../components/fleet/access-objects.ts';
import { accessProblems } from '../../components/fleet/check-access.ts';
import { extensionAnnotations, extensionObject } from '../../components/fleet/extension-object.ts';
import { operatorNeeds } from '../../components/fleet/operator-needs.ts';
import type { PlannedOperator } from '../../components/fleet/plan.ts';
import { guardObjects, guardsOf, type GuardAction } from '../../components/guards/guard-objects.ts';
import type { InstallsAs } from '../../components/olm/versions.ts';
import type { PlainObject } from '../../components/plain-object.ts';
import { refuse } from '../../packages/lib/problem.ts';
import { isEmpty } from '../../packages/lib/values.ts';

/** A fleet for a cluster that has OLM. */
export interface PlainFleet {
  readonly definitions: readonly AppliedDefinition[];
  readonly operators: readonly PlannedOperator[];
  /** Whose rights OLM installs with. Where it uses its own, no installers are needed. */
  readonly installsAs: InstallsAs;
  /** The ClusterCatalog, and its image by digest. */
  readonly catalog: { readonly name: string; readonly image: string; readonly verified?: Verified | undefined };
  /** Docker config JSON with which the operators' images are pulled; without it they are pulled anonymously. */
  readonly pullSecret?: string | undefined;
  /** Without it there are no guards. */
  readonly guards?: GuardAction | undefined;
}

/**
 * Every object of a fleet, in an order in which each finds what it needs: OLM upgrades as soon as the catalog moves, and
 * must have the rights for it by then.
 */
export function fleetObjects(fleet: PlainFleet): readonly PlainObject[] {
  const { definitions, operators, installsAs, catalog, guards } = fleet;
  refuse([...accessProblems(operators, installsAs), ...unmetNeeds(definitions, operatorNeeds(operators))]);
  return [
    operatorNamespace(),
    ...definitions.map(definitionObject),
    ...definitions.flatMap(stackRoles).map(stackRoleObject),
    ...(guards === undefined ? [] : guarding(operators, guards)),
    pullSecretObject(pullSecretContent(fleet.pullSecret)),
    ...operators.map(({ operator }) => leaseObject(operator.major)),
    ...(installsAs === 'account' ? operators.flatMap(installing) : []),
    catalogObject({
      name: catalog.name,
      source: 'image',
      image: imageSource(catalog.image),
      verified: catalog.verified,
    }),
    ...operators.map((operator) => extending(operator, installsAs)),
  ];
}

function guarding(operators: readonly PlannedOperator[], action: GuardAction): readonly PlainObject[] {
  return guardsOf(operators.map(({ operator }) => operator.major)).flatMap((guard) => {
    const { policy, binding } = guardObjects(guard, action);
    return [policy, binding];
  });
}

function installing({ operator, objects }: PlannedOperator): readonly PlainObject[] {
  const { account, clusterRole, clusterBinding, role, binding } = installerObjects(operator.major, objects);
  return [account, clusterRole, clusterBinding, role, binding];
}

function extending(operator: PlannedOperator, installsAs: InstallsAs): PlainObject {
  const account = installsAs === 'account' ? installerName(operator.operator.major) : undefined;
  const object = extensionObject(operator, account);
  const annotations = extensionAnnotations<string>(operator);
  return { ...object, metadata: { ...object.metadata, ...(isEmpty(annotations) ? {} : { annotations }) } };
}
