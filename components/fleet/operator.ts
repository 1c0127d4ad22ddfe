import { channelName, type Stream } from '../../packages/api/channels.ts';
import { CATALOG_NAME_LABEL, type CatalogFilter } from '../catalog/served-catalog.ts';

/** Annotation of a ClusterExtension whose operator goes back to an earlier version on purpose; the cluster's guards check it. */
export const ROLLBACK_ANNOTATION = 'inference-stack-fleet/rollback-to';

/** One operator of the fleet, as the configuration names it. */
export interface Operator {
  /** The major version whose stacks it serves. */
  readonly major: number;
  /** How mature a release must be. */
  readonly channel: Stream;
  /** A version or range inside the major. */
  readonly version?: string | undefined;
  /** An earlier version to go back to, against the upgrade graph. */
  readonly rollbackTo?: string | undefined;
}

/** The channel of the catalog that the operator follows. */
export function channelOf({ channel, major }: Pick<Operator, 'channel' | 'major'>): string {
  return channelName(channel, major);
}

/** What an operator's extension asks of a catalog. */
export interface OperatorFilter extends CatalogFilter {
  readonly channels: readonly string[];
  readonly upgradeConstraintPolicy: UpgradeConstraintPolicy;
}

export type UpgradeConstraintPolicy = 'CatalogProvided' | 'SelfCertified';

/** What the operator's extension requests from the catalog. The preview resolves exactly what OLM gets. */
export function catalogFilter(operator: Operator, packageName: string, catalogName: string): OperatorFilter {
  const version = operator.rollbackTo ?? operator.version;
  return {
    packageName,
    channels: [channelOf(operator)],
    ...(version === undefined ? {} : { version }),
    // One failing catalog fails every resolution that looks at it: look at ours only.
    selector: { matchLabels: { [CATALOG_NAME_LABEL]: catalogName } },
    upgradeConstraintPolicy: operator.rollbackTo === undefined ? 'CatalogProvided' : 'SelfCertified',
  };
}
