import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { OpenObject } from '../../packages/lib/json.ts';
import { isEmpty, present } from '../../packages/lib/values.ts';
import { OPERATOR_NAMESPACE } from '../../packages/api/operator-names.ts';
import { childName } from '../child-name.ts';
import type { PackageContent } from '../catalog/served-catalog.ts';
import { upgradeGraph } from '../catalog/upgrade-graph.ts';
import { ROLLED_OUT, ROLLOUT_TIMEOUTS } from '../waits/rollout.ts';
import type { ChosenPlacement } from '../olm/placement.ts';
import { OLM_VERSION_ANNOTATION } from '../olm/versions.ts';
import { extensionAnnotations, extensionObject } from './extension-object.ts';
import type { FleetAccess, InstallableOperator } from './fleet-access.ts';

export interface OperatorFleetArgs {
  /** The operators with their installers, and their namespace. */
  readonly access: FleetAccess;
  /** The ClusterCatalog that operators come from. */
  readonly catalogName: string;
  /** What that catalog offers, so that policies can resolve what the program declares. */
  readonly content?: PackageContent;
  /** What becomes of the stacks of operators that get another version, for policies. Only JSON. */
  readonly upgrades?: readonly object[];
  /** The version of OLM that extensions are written for, from `OlmV1`; left out where OLM is somebody else's. */
  readonly extensionApi?: pulumi.Input<string>;
  /** On which nodes the operators run; without it on any. */
  readonly placement?: ChosenPlacement;
  /** Whether the planned versions are waited for, which is the default. OLM may learn of them only when it looks behind the catalog's tag again. */
  readonly awaitVersions?: boolean;
}

/** One ClusterExtension per major, each ready when the wanted version is installed. */
export class OperatorFleet extends pulumi.ComponentResource {
  readonly #name: string;
  /** The version of every operator, by `v<major>`. */
  readonly versions: pulumi.Output<Readonly<Record<string, string>>>;
  /** Known when OLM has installed the wanted version of every operator, and each is placed. */
  readonly installed: pulumi.Output<unknown>;

  constructor(name: string, args: OperatorFleetArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:fleet:OperatorFleet', name, {}, opts);
    this.#name = name;
    const { operators } = args.access;
    const parts = operators.flatMap((operator) => {
      const extension = this.extension(operator, args);
      // Operators have no selector of their own that an empty one would replace.
      const placement = present({ ...args.placement });
      if (isEmpty(placement)) return [extension];
      const { deployments } = operator.plan;
      return [extension, ...deployments.map((deployment) => this.place(deployment, placement, extension))];
    });
    this.installed = pulumi.all(parts.map(({ id }) => id));
    this.versions = pulumi.output(
      Object.fromEntries(operators.map(({ operator, plan }) => [`v${operator.major}`, plan.to])),
    );
    const { catalogName, content, upgrades = [] } = args;
    // Catalog and upgrades are for policies, which see no more of a component than this.
    this.registerOutputs({
      versions: this.versions,
      installed: this.installed,
      catalogName,
      ...(content === undefined ? {} : { content: upgradeGraph(content) }),
      ...(upgrades.length === 0 ? {} : { upgrades }),
    });
  }

  private extension(
    operator: InstallableOperator,
    { access, extensionApi, awaitVersions = true }: OperatorFleetArgs,
  ): pulumi.CustomResource {
    const object = extensionObject(operator, operator.serviceAccount);
    const waitFor = { 'pulumi.com/waitFor': readiness(awaitVersions ? operator.plan.to : undefined, extensionApi) };
    const annotations = { ...waitFor, ...extensionAnnotations(operator, extensionApi) };
    return new k8s.apiextensions.CustomResource(
      childName(this.#name, object.metadata.name),
      { ...object, metadata: { ...object.metadata, annotations } },
      { parent: this, dependsOn: [access], customTimeouts: { create: '5m', update: '5m', delete: '3m' } },
    );
  }

  /**
   * Places a Deployment of an operator. Bundles are the same for every cluster, and no released ClusterExtension CRD
   * lets a cluster choose nodes, so the Deployment is patched after OLM has made it. OLM leaves alone the fields that a
   * bundle does not set.
   */
  private place(name: string, pod: OpenObject, extension: pulumi.Resource): pulumi.CustomResource {
    const annotations = { 'pulumi.com/waitFor': JSON.stringify(ROLLED_OUT) };
    return new k8s.apps.v1.DeploymentPatch(
      childName(this.#name, `${name}-placement`),
      { metadata: { name, namespace: OPERATOR_NAMESPACE, annotations }, spec: { template: { spec: pod } } },
      {
        parent: this,
        dependsOn: [extension],
        // The Deployment is deleted with its extension. Releasing fields of a deleted Deployment would make the API
        // server create it again.
        deletedWith: extension,
        customTimeouts: ROLLOUT_TIMEOUTS,
      },
    );
  }
}

/**
 * `Installed` may still be about the previous version; only the installed bundle's version is certain. When only OLM
 * changes, both hold before and after, and the provider records the first report that it gets: only the annotation
 * identifies a report about the new object.
 */
function readiness(version: string | undefined, extensionApi: OperatorFleetArgs['extensionApi']): pulumi.Input<string> {
  const installed = version === undefined ? [] : [`jsonpath={.status.install.bundle.version}=${version}`];
  const conditions = ['condition=Installed', ...installed];
  if (extensionApi === undefined) return JSON.stringify(conditions);
  const applied = pulumi.interpolate`jsonpath={.metadata.annotations['${OLM_VERSION_ANNOTATION}']}=${extensionApi}`;
  return applied.apply((expression) => JSON.stringify([...conditions, expression]));
}
