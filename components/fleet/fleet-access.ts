import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import {
  OPERATOR_NAMESPACE,
  OPERATOR_PULL_SECRET,
  operatorNames,
  POD_SECURITY,
  POD_SECURITY_LABEL,
} from '../../packages/api/operator-names.ts';
import { MANAGED_BY } from '../../packages/api/labels.ts';
import { refuse } from '../../packages/lib/problem.ts';
import { childName } from '../child-name.ts';
import { mutableRules } from '../mutable-rules.ts';
import type { InstallsAs } from '../olm/versions.ts';
import { summarizedBundles } from './bundle-objects.ts';
import { installerRights } from './installer-rights.ts';
import { duplicateMajors } from './one-per-major.ts';
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
    refuse([
      ...duplicateMajors(args.operators.map(({ operator }) => operator)),
      ...(args.installsAs === 'account' ? summarizedBundles(args.operators.flatMap(({ bundles }) => bundles)) : []),
    ]);
    super('inference-stack-fleet:fleet:FleetAccess', name, {}, opts);
    const namespace = new k8s.core.v1.Namespace(
      childName(name, OPERATOR_NAMESPACE),
      { metadata: { name: OPERATOR_NAMESPACE, labels: { ...MANAGED_BY, [POD_SECURITY_LABEL]: POD_SECURITY } } },
      { parent: this },
    );
    const inside = { parent: this, dependsOn: [namespace] };
    // Bundles name this Secret: if it were missing, the kubelet would warn about every pod.
    new k8s.core.v1.Secret(
      childName(name, OPERATOR_PULL_SECRET),
      {
        metadata: { name: OPERATOR_PULL_SECRET, namespace: OPERATOR_NAMESPACE, labels: MANAGED_BY },
        type: 'kubernetes.io/dockerconfigjson',
        stringData: pulumi.secret({ '.dockerconfigjson': args.pullSecret ?? NO_CREDENTIALS }),
      },
      inside,
    );
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

const NO_CREDENTIALS = '{"auths":{}}';

function installer(
  component: string,
  { operator: { major }, objects }: PlannedOperator,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const { operator } = operatorNames(major);
  const name = `${operator}-installer`;
  const child = childName(component, name);
  const namespaced = { name, namespace: OPERATOR_NAMESPACE, labels: MANAGED_BY };
  const rights = installerRights(operator, objects);
  const subjects = [{ kind: 'ServiceAccount', name, namespace: OPERATOR_NAMESPACE }];
  const apiGroup = 'rbac.authorization.k8s.io';

  const account = new k8s.core.v1.ServiceAccount(child, { metadata: namespaced }, opts);
  new k8s.rbac.v1.ClusterRole(
    child,
    { metadata: { name, labels: MANAGED_BY }, rules: mutableRules(rights.cluster) },
    opts,
  );
  new k8s.rbac.v1.ClusterRoleBinding(
    child,
    { metadata: { name, labels: MANAGED_BY }, roleRef: { apiGroup, kind: 'ClusterRole', name }, subjects },
    opts,
  );
  new k8s.rbac.v1.Role(child, { metadata: namespaced, rules: mutableRules(rights.namespace) }, opts);
  new k8s.rbac.v1.RoleBinding(
    child,
    { metadata: namespaced, roleRef: { apiGroup, kind: 'Role', name }, subjects },
    opts,
  );
  return account.metadata.name;
}

/** Operators may write the Lease of their major but create none, so that no other can appear. */
function lease(component: string, { major }: Operator, opts: pulumi.CustomResourceOptions): void {
  const { operator } = operatorNames(major);
  new k8s.coordination.v1.Lease(
    childName(component, operator),
    { metadata: { name: operator, namespace: OPERATOR_NAMESPACE, labels: MANAGED_BY } },
    { ...opts, ignoreChanges: ['spec'] },
  );
}
