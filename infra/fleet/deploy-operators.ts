import * as pulumi from '@pulumi/pulumi';
import type { Catalog } from '../../components/catalog/fbc.ts';
import { ClusterCatalog } from '../../components/catalog/cluster-catalog.ts';
import { FleetAccess } from '../../components/fleet/fleet-access.ts';
import { OperatorFleet } from '../../components/fleet/operator-fleet.ts';
import { CatalogImage } from '../../components/images/catalog-image.ts';
import { CheckoutCatalog } from '../../components/images/checkout-catalog.ts';
import type { OlmV1 } from '../../components/olm/olm-v1.ts';
import type { PreparedCatalog } from '../catalog/prepare-catalog.ts';
import type { Decision } from '../decide.ts';
import { plannedUpgrade } from '../impact/planned-upgrade.ts';
import { withFormerNames, WITHOUT_COMPONENT } from '../former-names.ts';

export interface OperatorsArgs extends Pick<
  Decision,
  'settings' | 'operators' | 'installsAs' | 'placement' | 'impacts' | 'awaitVersions'
> {
  readonly catalog: PreparedCatalog;
  /** The OLM that this program installs; undefined where an existing one is used. */
  readonly olm: OlmV1 | undefined;
  /** What has to be there before operators are installed. */
  readonly before: readonly pulumi.Resource[];
  readonly opts: pulumi.ComponentResourceOptions;
}

/** The results for the operators, each known when it is ready. */
export interface DeployedOperators {
  readonly catalogImage: pulumi.Output<string>;
  /** The catalog, served by OLM. */
  readonly served: pulumi.Output<unknown>;
  /** The extensions, in the version that was planned if that is waited for. */
  readonly installed: pulumi.Output<unknown>;
}

/**
 * Installers first, then the catalog, then the extensions: OLM upgrades as soon as the catalog moves, and must have the
 * rights for it by then.
 */
export function deployOperators(args: OperatorsArgs): DeployedOperators {
  const { settings, operators, installsAs, placement, awaitVersions, olm, before, opts } = args;
  const { name, source, pollMinutes, priority } = settings.catalog;
  const access = new FleetAccess(
    'access',
    {
      installsAs,
      operators,
      ...(settings.pullSecret === undefined ? {} : { pullSecret: settings.pullSecret }),
    },
    withFormerNames('access', opts),
  );
  const image = catalogImage(args.catalog);
  const { origin } = args.catalog;
  const verified = origin.source === 'image' && origin.verified !== undefined ? { verified: origin.verified } : {};
  const catalog = new ClusterCatalog(
    'catalog',
    { name, image, source, pollMinutes, priority, ...verified },
    withFormerNames('catalog', { ...opts, dependsOn: [...before, access] }, WITHOUT_COMPONENT),
  );
  const { installed } = new OperatorFleet(
    'operators',
    {
      access,
      catalogName: name,
      content: args.catalog.content,
      placement,
      awaitVersions,
      upgrades: args.impacts.map((impact) => plannedUpgrade(impact, settings.operators)),
      ...(olm === undefined ? {} : { extensionApi: olm.extensionApi }),
    },
    withFormerNames('operators', { ...opts, dependsOn: [...before, catalog] }),
  );
  return { catalogImage: image, served: catalog.served, installed };
}

/** The catalog's image by reference, built where that was decided. */
function catalogImage({ content, origin }: PreparedCatalog): pulumi.Output<string> {
  switch (origin.source) {
    case 'image':
      return pulumi.output(origin.ref);
    case 'checkout':
      return new CheckoutCatalog('images', origin.args, withFormerNames('images', {})).ref;
    case 'build': {
      // The type of output() unwraps its argument recursively, which never ends for JSON.
      const catalog = pulumi.output<unknown>(content) as pulumi.Output<Catalog>;
      return new CatalogImage('catalog', { ...origin.args, catalog }).ref;
    }
  }
}
