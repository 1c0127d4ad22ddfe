import type { SemVer } from 'semver';
import { textAt } from '../../packages/lib/json.ts';
import type { BundleContent, CatalogFilter, PackageContent } from './served-catalog.ts';
import { edgeTo } from './successors.ts';
import type { ChannelEdges, Edge, InstalledBundle } from './successors.ts';
import { inRange } from './version-range.ts';
import type { VersionRange } from './version-range.ts';
import { parseVersion } from './version.ts';

/** A bundle as resolution sees it. */
export interface Candidate {
  readonly name: string;
  readonly image: string;
  readonly properties: BundleContent['properties'];
  readonly version: SemVer | undefined;
  readonly deprecated: boolean;
  readonly edge: Edge | undefined;
}

/** The best bundle of one catalog. */
export function bestOf(
  content: PackageContent,
  filter: CatalogFilter,
  range: VersionRange | undefined,
  installed: InstalledBundle | undefined,
): Candidate | undefined {
  const wanted = filter.channels ?? [];
  // Once channels are named, OLM follows the edges of these channels only.
  const channels =
    wanted.length === 0 ? content.channels : content.channels.filter(({ name }) => wanted.includes(name));
  const members = new Set(channels.flatMap((channel) => channel.entries.map((entry) => entry.name)));
  const free = filter.upgradeConstraintPolicy === 'SelfCertified';
  return content.bundles
    .map((bundle) => describe(bundle, content, installed, channels, free))
    .filter((candidate) => wanted.length === 0 || members.has(candidate.name))
    .filter(({ version }) => range === undefined || (version !== undefined && inRange(version, range)))
    .filter(({ edge }) => edge !== undefined)
    .sort((a, b) => Number(a.deprecated) - Number(b.deprecated) || byVersionDescending(a, b))[0];
}

function describe(
  bundle: BundleContent,
  content: PackageContent,
  installed: InstalledBundle | undefined,
  channels: readonly ChannelEdges[],
  free: boolean,
): Candidate {
  const version = versionOf(bundle);
  const edge = installed === undefined ? 'install' : edgeTo({ name: bundle.name, version }, installed, channels);
  return {
    name: bundle.name,
    image: bundle.image,
    properties: bundle.properties,
    version,
    deprecated: isDeprecated(bundle, content),
    edge: edge ?? (free ? 'self-certified' : undefined),
  };
}

function versionOf(bundle: BundleContent): SemVer | undefined {
  return parseVersion(textAt(bundle.properties.find((property) => property.type === 'olm.package')?.value, 'version'));
}

function isDeprecated(bundle: BundleContent, content: PackageContent): boolean {
  const entries = content.deprecations?.entries ?? [];
  return entries.some(({ reference }) => reference.schema === 'olm.bundle' && reference.name === bundle.name);
}

/** Bundles without a readable version come last. */
function byVersionDescending(a: Candidate, b: Candidate): number {
  if (a.version === undefined || b.version === undefined) {
    return Number(a.version === undefined) - Number(b.version === undefined);
  }
  return b.version.compare(a.version);
}
