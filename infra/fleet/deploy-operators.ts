import type * as pulumi from '@pulumi/pulumi';
import type { FbcBundle } from '../../components/catalog/fbc.ts';
import { clusterCatalog } from '../../components/catalog/cluster-catalog.ts';
import { installedObjects } from '../../components/fleet/bundle-objects.ts';
import { FleetAccess, type InstallerArgs } from '../../components/fleet/fleet-access.ts';
import { OperatorFleet } from '../../components/fleet/operator-fleet.ts';
import { planFleet, type OperatorPlan } from '../../components/fleet/plan.ts';
import { prepareCatalog } from '../catalog/prepare-catalog.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Target } from '../cluster/target.ts';
import type { Settings } from '../config/schema.ts';
import type { ImageSettings } from '../images/image-settings.ts';

export interface OperatorsArgs {
  readonly settings: Settings;
  readonly target: Target;
  readonly live: LiveState;
  readonly images: ImageSettings;
  /** What has to be there before operators are installed. */
  readonly before: readonly pulumi.Resource[];
  readonly opts: pulumi.ComponentResourceOptions;
}

export interface DeployedOperators {
  readonly catalogImage: pulumi.Output<string>;
  readonly plans: readonly OperatorPlan[];
}

/**
 * Installers first, then the catalog, then the extensions: OLM upgrades as soon as the catalog moves, and must have the
 * rights for it by then.
 */
export async function deployOperators(args: OperatorsArgs): Promise<DeployedOperators | undefined> {
  const { settings, live, before, opts } = args;
  if (settings.operators.length === 0) return undefined;
  const { name, pollMinutes, priority } = settings.catalog;
  const prepared = await prepareCatalog(args);
  const plans = planFleet(settings.operators, { name, content: prepared.content }, live.installed);

  const access = new FleetAccess(
    'access',
    {
      installers: plans.map((plan) => installer(plan, prepared.content.bundles, live)),
      ...(settings.pullSecret === undefined ? {} : { pullSecret: settings.pullSecret }),
    },
    opts,
  );
  const image = prepared.build();
  const catalog = clusterCatalog({ name, image, pollMinutes, priority }, catalogOptions([...before, access], opts));
  new OperatorFleet(
    'operators',
    {
      operators: settings.operators,
      plans,
      access,
      catalogName: name,
      content: prepared.content,
      olmVersion: settings.olm.version,
    },
    { ...opts, dependsOn: [...before, catalog] },
  );
  return { catalogImage: image, plans };
}

function catalogOptions(
  dependsOn: pulumi.Resource[],
  { providers }: pulumi.ComponentResourceOptions,
): pulumi.CustomResourceOptions {
  const provider = Array.isArray(providers) ? undefined : providers?.['kubernetes'];
  return { dependsOn, ...(provider === undefined ? {} : { provider }) };
}

/** The objects of the bundle that is wanted, and of the one that is installed, as far as the catalog still has it. */
function installer(plan: OperatorPlan, bundles: readonly FbcBundle[], live: LiveState): InstallerArgs {
  const names = new Set([plan.bundle, live.installed.get(plan.major)?.name]);
  return {
    major: plan.major,
    objects: bundles.filter((bundle) => names.has(bundle.name)).flatMap(installedObjects),
  };
}
