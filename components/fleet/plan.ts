import type { SemVer } from 'semver';
import { refuse, type Problem } from '../../packages/lib/problem.ts';
import { operatorNames } from '../../packages/api/operator-names.ts';
import { bundleVersion, type Catalog, type FbcBundle } from '../catalog/fbc.ts';
import { resolve, type Resolved } from '../catalog/resolve.ts';
import type { Edge, InstalledBundle } from '../catalog/successors.ts';
import { bundleDeployments, installedObjects } from './bundle-objects.ts';
import type { BundleObject } from './installer-rights.ts';
import { catalogFilter, channelOf, type Operator, type OperatorFilter } from './operator.ts';
import { STREAMS } from '../../packages/api/channels.ts';

/** What OLM will do about one operator. */
export interface OperatorPlan {
  readonly channel: string;
  /** The installed version; absent when the operator is new. */
  readonly from?: string;
  readonly to: string;
  /** The names of the Deployments that OLM makes. */
  readonly deployments: readonly string[];
  /** How OLM gets there. */
  readonly edge: Edge;
  /** Versions of the channel between the two, which are never run. */
  readonly skipped: readonly string[];
  /** Why the wanted version, its channel or the package should not be used any more. */
  readonly deprecations: readonly string[];
}

/** One operator on its way into the cluster, with everything that is known of it. */
export interface PlannedOperator {
  /** As the settings name it. */
  readonly operator: Operator;
  /** What its extension asks of the catalog. */
  readonly filter: OperatorFilter;
  readonly plan: OperatorPlan;
  /** The wanted bundle and the installed one, as far as the catalog has them. */
  readonly bundles: readonly FbcBundle[];
  /** What OLM creates from them. */
  readonly objects: readonly BundleObject[];
}

/** An operator that is in the cluster. */
export interface InstalledOperator {
  /** The name of its ClusterExtension. */
  readonly extension: string;
  /** What OLM has installed; undefined while it is on its way. */
  readonly bundle: InstalledBundle | undefined;
}

/** Computes what OLM would do for every operator; throws all reasons why it would do nothing. */
export function planFleet(
  operators: readonly Operator[],
  catalog: { readonly name: string; readonly content: Catalog },
  installed: readonly InstalledOperator[] = [],
): readonly PlannedOperator[] {
  const problems: Problem[] = [];
  const planned = operators.flatMap((operator, index) => {
    const { content, name } = catalog;
    const { operator: extension } = operatorNames(operator.major);
    const current = installed.find((each) => each.extension === extension)?.bundle;
    const filter = catalogFilter(operator, content.package.name, name);
    const served = [{ name, packages: [content] }];
    const resolution = resolve(filter, served, current);
    if (resolution.outcome !== 'resolved') {
      // If a new install fails too, what is installed is not the reason.
      const inTheWay = resolve(filter, served).outcome === 'resolved' ? current : undefined;
      problems.push(unresolved(operator, index, content, resolution.reason, inTheWay));
      return [];
    }
    const names = new Set([resolution.bundle, current?.name]);
    const bundles = content.bundles.filter((bundle) => names.has(bundle.name));
    const plan = planOf(operator, content, resolution, current);
    return [{ operator, filter, plan, bundles, objects: bundles.flatMap(installedObjects) }];
  });
  refuse(problems);
  return planned;
}

function planOf(
  operator: Operator,
  catalog: Catalog,
  resolved: Resolved,
  installed: InstalledBundle | undefined,
): OperatorPlan {
  const channel = channelOf(operator);
  const between = (version: SemVer): boolean =>
    installed !== undefined && version.compare(installed.version) > 0 && version.compare(resolved.version) < 0;
  return {
    channel,
    ...(installed === undefined ? {} : { from: installed.version.raw }),
    // OLM reports build metadata too, and its report is waited for.
    to: resolved.version.raw,
    deployments: deploymentsOf(operator, catalog, resolved.bundle),
    edge: resolved.edge,
    skipped: channelVersions(catalog, channel)
      .filter(between)
      .map(({ version }) => version),
    deprecations: deprecationsOf(catalog, channel, resolved.bundle),
  };
}

/** The Deployments of the bundle. Where the catalog holds only a summary of it, the name that our own bundles use. */
function deploymentsOf({ major }: Operator, { bundles }: Catalog, name: string): readonly string[] {
  const stated = bundles.filter((bundle) => bundle.name === name).flatMap(bundleDeployments);
  return stated.length > 0 ? stated : [operatorNames(major).operator];
}

function unresolved(
  operator: Operator,
  index: number,
  catalog: Catalog,
  reason: string,
  installed: InstalledBundle | undefined,
): Problem {
  return {
    path: `operators[${index}]`,
    message: `cannot be resolved: ${reason}`,
    remedy: remedyOf(operator, catalog, installed),
  };
}

function remedyOf(operator: Operator, catalog: Catalog, installed: InstalledBundle | undefined): string {
  const channel = channelOf(operator);
  const versions = channelVersions(catalog, channel);
  if (versions.length === 0) return `${channel} has no version. ${elsewhere(operator, catalog)}`;
  const offer = `${channel} has ${listed(versions)}`;
  if (installed === undefined) return `Choose from what the catalog offers: ${offer}.`;
  const older = versions.some((version) => version.compare(installed.version) < 0);
  const back = older ? ' To go back, set rollbackTo.' : '';
  const from = installed.version.version;
  const way = operator.version === undefined ? `there from ${from}` : `from ${from} to ${operator.version}`;
  return `${offer}, and no upgrade leads ${way}.${back}`;
}

/** Which channels have versions of the major or, if none does, which majors the catalog has. */
function elsewhere({ major }: Operator, catalog: Catalog): string {
  const offers = STREAMS.toReversed().flatMap((stream) => {
    const channel = channelOf({ channel: stream, major });
    const versions = channelVersions(catalog, channel);
    return versions.length === 0 ? [] : [`${channel} has ${listed(versions)}`];
  });
  if (offers.length > 0) return `Channels of v${major}: ${offers.join('; ')}.`;
  const majors = new Set(catalog.bundles.flatMap((bundle) => bundleVersion(bundle)?.major ?? []));
  const names = [...majors].sort((a, b) => a - b).map((each) => `v${each}`);
  return `No channel has a version of v${major}: ${names.length === 0 ? 'the catalog is empty' : `the catalog has ${names.join(', ')}`}.`;
}

/** How many versions a message names before it counts the rest. */
const SHOWN = 5;

/** The newest are those that people look for. */
function listed(versions: readonly SemVer[]): string {
  const names = versions.slice(-SHOWN).map(({ version }) => version);
  const older = versions.length - names.length;
  return `${names.join(', ')}${older > 0 ? ` and ${older} older` : ''}`;
}

/** The versions of a channel, lowest first. */
function channelVersions(catalog: Catalog, channel: string): readonly SemVer[] {
  const entries = catalog.channels.find(({ name }) => name === channel)?.entries ?? [];
  const members = new Set(entries.map(({ name }) => name));
  return catalog.bundles
    .filter(({ name }) => members.has(name))
    .map(bundleVersion)
    .filter((version) => version !== undefined)
    .sort((a, b) => a.compare(b));
}

function deprecationsOf(catalog: Catalog, channel: string, bundle: string): readonly string[] {
  const about: Readonly<Record<string, string>> = { 'olm.channel': channel, 'olm.bundle': bundle };
  return (catalog.deprecations?.entries ?? [])
    .filter(({ reference }) => reference.schema === 'olm.package' || about[reference.schema] === reference.name)
    .map(({ message }) => message);
}
