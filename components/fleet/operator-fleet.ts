import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import semver from 'semver';
import { refuse } from '../../controller/src/problem.ts';
import { OPERATOR_NAMESPACE, operatorNames, PACKAGE } from '../bundle/operator-names.ts';
import type { PackageContent } from '../catalog/served-catalog.ts';
import { upgradeGraph } from '../catalog/upgrade-graph.ts';
import { MANAGED_BY } from '../labels.ts';
import type { FleetAccess } from './fleet-access.ts';
import { catalogFilter, ROLLBACK_ANNOTATION, type Operator } from './operator.ts';
import { duplicateMajors } from './one-per-major.ts';
import type { OperatorPlan } from './plan.ts';

export interface OperatorFleetArgs {
  /** The operators, at most one per major. */
  readonly operators: readonly Operator[];
  /** What each operator resolves to; its version is awaited. */
  readonly plans: readonly OperatorPlan[];
  /** The installers and their namespace. */
  readonly access: FleetAccess;
  /** The ClusterCatalog that operators come from. */
  readonly catalogName: string;
  /** What that catalog offers, so that policies can resolve what the program declares. */
  readonly content?: PackageContent;
  /** The version of OLM in the cluster. */
  readonly olmVersion: string;
}

/** From this version on OLM installs with its own rights and ignores the extension's ServiceAccount. */
const OWN_RIGHTS_SINCE = '1.11.0';

/** One ClusterExtension per major, each ready when the wanted version is installed. */
export class OperatorFleet extends pulumi.ComponentResource {
  /** The version of every operator, by `v<major>`. */
  readonly versions: pulumi.Output<Readonly<Record<string, string>>>;

  constructor(name: string, args: OperatorFleetArgs, opts?: pulumi.ComponentResourceOptions) {
    refuse(duplicateMajors(args.operators));
    super('inference-stack-fleet:fleet:OperatorFleet', name, {}, opts);
    for (const operator of args.operators) this.extension(operator, args);
    this.versions = pulumi.output(Object.fromEntries(args.plans.map(({ major, to }) => [`v${major}`, to])));
    const { catalogName, content } = args;
    this.registerOutputs({
      versions: this.versions,
      catalogName,
      ...(content === undefined ? {} : { content: upgradeGraph(content) }),
    });
  }

  private extension(operator: Operator, args: OperatorFleetArgs): void {
    const name = operatorNames(operator.major).operator;
    const plan = args.plans.find(({ major }) => major === operator.major);
    const serviceAccount = args.access.serviceAccounts.get(operator.major);
    const { rollbackTo } = operator;
    new k8s.apiextensions.CustomResource(
      name,
      {
        apiVersion: 'olm.operatorframework.io/v1',
        kind: 'ClusterExtension',
        metadata: {
          name,
          labels: MANAGED_BY,
          annotations: {
            'pulumi.com/waitFor': JSON.stringify(readiness(plan)),
            ...(rollbackTo === undefined ? {} : { [ROLLBACK_ANNOTATION]: rollbackTo }),
          },
        },
        spec: {
          namespace: OPERATOR_NAMESPACE,
          ...(semver.gte(args.olmVersion, OWN_RIGHTS_SINCE) ? {} : { serviceAccount: { name: serviceAccount } }),
          source: { sourceType: 'Catalog', catalog: catalogFilter(operator, PACKAGE, args.catalogName) },
        },
      },
      { parent: this, dependsOn: [args.access], customTimeouts: { create: '5m', update: '5m', delete: '3m' } },
    );
  }
}

/** `Installed` may still speak of the version before; only the installed bundle's version tells. */
function readiness(plan: OperatorPlan | undefined): readonly string[] {
  const version = plan === undefined ? [] : [`jsonpath={.status.install.bundle.version}=${plan.to}`];
  return ['condition=Installed', ...version];
}
