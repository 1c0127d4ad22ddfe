import { majorOfChannel } from '../../packages/api/channels.ts';
import { bundleVersion } from './fbc.ts';
import type { Catalog, FbcChannel } from './fbc.ts';
import { resolve } from './resolve.ts';
import type { InstalledBundle } from './successors.ts';
import { compareVersions } from './version.ts';

/**
 * Where clusters go from a bundle that is withdrawn, in words for its deprecation: in each of its channels the version
 * that OLM upgrades it to or, if no upgrade leads to a version that is not deprecated, one that `rollbackTo` installs.
 */
export function wayOut(catalog: Catalog, name: string): string {
  const from = installedBundles(catalog).find((each) => each.name === name);
  if (from === undefined) return '';
  const channels = catalog.channels.filter(({ entries }) => entries.some((entry) => entry.name === name));
  const ways = [...Map.groupBy(channels, (channel) => wayIn(catalog, channel, from) ?? '')];
  return ways
    .map(([way, of]) => {
      const names = of.map((channel) => channel.name).join(', ');
      if (way === '') return `no other version in ${names}${elsewhere(catalog, from)}`;
      return ways.length === 1 ? way : `${way} (${names})`;
    })
    .join('; ');
}

/** A cluster that OLM would move to a deprecated version, and where it would stay or go otherwise. */
export interface Misled {
  readonly channel: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Clusters that a change of deprecations would move to a deprecated version. OLM prefers to stay on a version that is not
 * deprecated; among versions that all are, it takes the newest.
 */
export function misled(before: Catalog, after: Catalog): Misled[] {
  return after.channels.flatMap((channel) =>
    membersOf(after, channel).flatMap((from) => {
      const now = next(after, channel, from);
      const moves = now?.deprecated === true && now.bundle !== from.name;
      if (!moves || next(before, channel, from)?.bundle === now.bundle) return [];
      return [{ channel: channel.name, from: from.version.raw, to: now.version.raw }];
    }),
  );
}

function wayIn(catalog: Catalog, channel: FbcChannel, from: InstalledBundle): string | undefined {
  const upgrade = next(catalog, channel, from);
  if (upgrade?.deprecated === false) return `upgrade to ${upgrade.version.raw}`;
  const others = usable(catalog, channel);
  const older = others.findLast(({ version }) => compareVersions(version, from.version) < 0);
  if (older !== undefined) return `go back to ${older.version.raw} with rollbackTo`;
  // A newer one that no upgrade leads to: in a channel only the newest patch of a minor version can be upgraded to.
  const newer = others.at(-1);
  return newer === undefined ? undefined : `go to ${newer.version.raw} with rollbackTo`;
}

/** What other channels of the major have to offer. */
function elsewhere(catalog: Catalog, { version }: InstalledBundle): string {
  const offers = catalog.channels
    .filter(({ name }) => majorOfChannel(name) === version.major)
    .flatMap((channel) => {
      const newest = usable(catalog, channel).at(-1);
      return newest === undefined ? [] : [`${channel.name} has ${newest.version.raw}`];
    });
  return offers.length === 0 ? '' : `, while ${offers.join(', ')}`;
}

/** What OLM makes of an installed bundle whose operator follows the channel. */
function next(
  catalog: Catalog,
  channel: FbcChannel,
  installed: InstalledBundle,
): { readonly bundle: string; readonly version: InstalledBundle['version']; readonly deprecated: boolean } | undefined {
  const filter = { packageName: catalog.package.name, channels: [channel.name] };
  const resolution = resolve(filter, [{ name: 'catalog', packages: [catalog] }], installed);
  return resolution.outcome === 'resolved' ? resolution : undefined;
}

/** The versions of a channel that are not deprecated, lowest first. */
function usable(catalog: Catalog, channel: FbcChannel): readonly InstalledBundle[] {
  const deprecated = new Set(
    catalog.deprecations?.entries.map(({ reference }) => `${reference.schema} ${reference.name ?? ''}`),
  );
  return membersOf(catalog, channel)
    .filter(({ name }) => !deprecated.has(`olm.bundle ${name}`))
    .sort((a, b) => compareVersions(a.version, b.version));
}

function membersOf(catalog: Catalog, { entries }: FbcChannel): readonly InstalledBundle[] {
  const members = new Set(entries.map(({ name }) => name));
  return installedBundles(catalog).filter(({ name }) => members.has(name));
}

function installedBundles({ bundles }: Catalog): readonly InstalledBundle[] {
  return bundles.flatMap((bundle) => {
    const version = bundleVersion(bundle);
    return version === undefined ? [] : [{ name: bundle.name, version }];
  });
}
