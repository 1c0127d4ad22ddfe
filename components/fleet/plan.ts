import type { SemVer } from 'semver';
import { refuse, type Problem } from '../../controller/src/problem.ts';
import { bundleVersion, type Catalog } from '../catalog/fbc.ts';
import { resolve, type Resolved } from '../catalog/resolve.ts';
import type { Edge, InstalledBundle } from '../catalog/successors.ts';
import { catalogFilter, channelOf, type Operator } from './operator.ts';

/** What will happen to one operator. */
export interface OperatorPlan {
  readonly major: number;
  readonly channel: string;
  /** The installed version; absent when the operator is new. */
  readonly from?: string;
  readonly to: string;
  /** The name of the wanted bundle in the catalog. */
  readonly bundle: string;
  /** How OLM gets there. */
  readonly edge: Edge;
  /** Versions of the channel between the two, which are never run. */
  readonly skipped: readonly string[];
  /** Why the wanted version, its channel or the package should not be used any more. */
  readonly deprecations: readonly string[];
}

/** Bundles that are installed now, by major. */
export type InstalledOperators = ReadonlyMap<number, InstalledBundle>;

/** Computes what OLM would do for every operator; throws all reasons why it would do nothing. */
export function planFleet(
  operators: readonly Operator[],
  catalog: { readonly name: string; readonly content: Catalog },
  installed: InstalledOperators,
): readonly OperatorPlan[] {
  const problems: Problem[] = [];
  const plans = operators.flatMap((operator, index) => {
    const { content, name } = catalog;
    const current = installed.get(operator.major);
    const filter = catalogFilter(operator, content.package.name, name);
    const resolution = resolve(filter, [{ name, packages: [content] }], current);
    if (resolution.outcome === 'resolved') return [plan(operator, content, resolution, current)];
    problems.push(unresolved(operator, index, content, resolution.reason, current));
    return [];
  });
  refuse(problems);
  return plans;
}

function plan(
  operator: Operator,
  catalog: Catalog,
  resolved: Resolved,
  installed: InstalledBundle | undefined,
): OperatorPlan {
  const channel = channelOf(operator);
  const between = (version: SemVer): boolean =>
    installed !== undefined && version.compare(installed.version) > 0 && version.compare(resolved.version) < 0;
  return {
    major: operator.major,
    channel,
    ...(installed === undefined ? {} : { from: installed.version.version }),
    to: resolved.version.version,
    bundle: resolved.bundle,
    edge: resolved.edge,
    skipped: channelVersions(catalog, channel)
      .filter(between)
      .map(({ version }) => version),
    deprecations: deprecationsOf(catalog, channel, resolved.bundle),
  };
}

function unresolved(
  operator: Operator,
  index: number,
  catalog: Catalog,
  reason: string,
  installed: InstalledBundle | undefined,
): Problem {
  const channel = channelOf(operator);
  const versions = channelVersions(catalog, channel).map(({ version }) => version);
  const offer = versions.length === 0 ? `${channel} is empty` : `${channel} has ${versions.join(', ')}`;
  const remedy =
    installed === undefined
      ? `Choose from what the catalog offers: ${offer}.`
      : `${offer}, and no upgrade leads there from ${installed.version.version}. To go back, set rollbackTo.`;
  return { path: `operators[${index}]`, message: `cannot be resolved: ${reason}`, remedy };
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
