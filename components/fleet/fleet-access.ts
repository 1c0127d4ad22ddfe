import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { OPERATOR_NAMESPACE, OPERATOR_PULL_SECRET } from '../../packages/api/operator-names.ts';
import { refuse } from '../../packages/lib/problem.ts';
import { childName } from '../child-name.ts';
import { mutableRules } from '../mutable-rules.ts';
import type { InstallsAs } from '../olm/versions.ts';
import {
  installerName,
  installerObjects,
  leaseObject,
  operatorNamespace,
  pullSecretContent,
  pullSecretObject,
} from './access-objects.ts';
import { accessProblems } from './check-access.ts';
import type { Operator } from './operator.ts';
import type { PlannedOperator } from './plan.ts';

/** An operator that OLM can install. */
export interface InstallableOperator extends PlannedOperator {
  /** The ServiceAccount that OLM installs it with; undefined where OLM uses its own rights. */
  readonly serviceAccount: pulumi.Output<string> | undefined;
}

export interface FleetAccessArgs {
  /** Whose rights OLM installs with. Where OLM uses its own, no installers are made. */
  readonly installsAs: InstallsAs;
  /** The operators, at most one per major, from `planFleet`. */
  readonly operators: readonly PlannedOperator[];
  /** Docker config JSON with which the operators' images are pulled; without it they are pulled anonymously. */
  readonly pullSecret?: pulumi.Input<string>;
}

/**
 * The operators' namespace; the Leases through which operators of one major exclude each other; and, where OLM installs
 * with them, an installer for every major with exactly the rights that its bundles need. It has to be applied before
 * the catalog changes: OLM upgrades as soon as the catalog offers a version, with the rights that the installer has at
 * that time.
 */
export class FleetAccess extends pulumi.ComponentResource {
  /** The operators, each with the account that it is installed by. */
  readonly operators: readonly InstallableOperator[];

  constructor(name: string, args: FleetAccessArgs, opts?: pulumi.ComponentResourceOptions) {
    refuse(accessProblems(args.operators, args.installsAs));
    super('inference-stack-fleet:fleet:FleetAccess', name, {}, opts);
    const namespace = new k8s.core.v1.Namespace(childName(name, OPERATOR_NAMESPACE), operatorNamespace(), {
      parent: this,
    });
    const inside = { parent: this, dependsOn: [namespace] };
    const pullSecret = pullSecretObject(pulumi.secret(pullSecretContent(args.pullSecret)));
    new k8s.core.v1.Secret(childName(name, OPERATOR_PULL_SECRET), pullSecret, inside);
    this.operators = args.operators.map((planned) => {
      lease(name, planned.operator, inside);
      const serviceAccount = args.installsAs === 'account' ? installer(name, planned, inside) : undefined;
      return { ...planned, serviceAccount };
    });
    const accounts = this.operators.map(({ operator, serviceAccount }) => [operator.major, serviceAccount] as const);
    const given = accounts.filter(([, serviceAccount]) => serviceAccount !== undefined);
    // Without what is planned: whole bundles would fill the state.
    this.registerOutputs({ serviceAccounts: Object.fromEntries(given) });
  }
}

function installer(
  component: string,
  { operator: { major }, objects }: PlannedOperator,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const child = childName(component, installerName(major));
  const { account, clusterRole, clusterBinding, role, binding } = installerObjects(major, objects);
  const { name } = new k8s.core.v1.ServiceAccount(child, account, opts).metadata;
  new k8s.rbac.v1.ClusterRole(child, { ...clusterRole, rules: mutableRules(clusterRole.rules) }, opts);
  new k8s.rbac.v1.ClusterRoleBinding(child, clusterBinding, opts);
  new k8s.rbac.v1.Role(child, { ...role, rules: mutableRules(role.rules) }, opts);
  new k8s.rbac.v1.RoleBinding(child, binding, opts);
  return name;
}

/** Its content belongs to its holder. */
function lease(component: string, { major }: Operator, opts: pulumi.CustomResourceOptions): void {
  const object = leaseObject(major);
  new k8s.coordination.v1.Lease(childName(component, object.metadata.name), object, {
    ...opts,
    ignoreChanges: ['spec'],
  });
}
