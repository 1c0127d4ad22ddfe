import type { SemVer } from 'semver';
import { admitsMajor, majorsOf } from '../../../components/catalog/range-majors.ts';
import { resolve } from '../../../components/catalog/resolve.ts';
import { isSelected } from '../../../components/catalog/served-catalog.ts';
import type { CatalogFilter } from '../../../components/catalog/served-catalog.ts';
import type { InstalledBundle } from '../../../components/catalog/successors.ts';
import { parseVersionRange } from '../../../components/catalog/version-range.ts';
import type { Facts } from '../facts.ts';
import { majorOfChannel } from '../../../packages/api/channels.ts';

/** Which majors of its package an extension takes, and the reason to think so. */
export interface Claim {
  /** Majors that the extension or its range names; only these are worth checking. */
  readonly named: readonly number[];
  readonly takes: (major: number) => boolean;
  /** The version that will run; absent when it cannot be told. */
  readonly version?: string;
  /** `resolves to 2.1.0 of catalog production`, said after the extension's name. */
  readonly reason: string;
}

/**
 * The claim of an extension. What it resolves to decides. An installed extension that resolves to nothing stays at its
 * version. If the content of a catalog is not known, it claims every major that its channels and range admit.
 */
export function claimOf(filter: CatalogFilter, facts: Facts, installed: InstalledBundle | undefined): Claim {
  const unseen = facts.catalogs.find((catalog) => !catalog.isKnown && isSelected(filter, catalog));
  const seen = facts.catalogs.some((catalog) => isSelected(filter, catalog));
  if (unseen !== undefined) return admitted(filter, `while the content of catalog ${unseen.name} is not known`);
  if (!seen) return installed === undefined ? admitted(filter, 'in a catalog that is not known') : staysAt(installed);
  const resolution = resolve(filter, facts.catalogs, installed);
  if (resolution.outcome === 'resolved') {
    const { version, catalog } = resolution;
    return exactly(version, `resolves to ${version.raw} of catalog ${catalog}`);
  }
  return installed === undefined ? admitted(filter, 'once a catalog has it') : staysAt(installed);
}

function staysAt(installed: InstalledBundle): Claim {
  return exactly(installed.version, `stays at ${installed.version.raw}, which is installed`);
}

function exactly(version: SemVer, reason: string): Claim {
  const { major, raw } = version;
  return { named: [major], takes: (candidate) => candidate === major, version: raw, reason };
}

/** Every major that channels and range leave open. */
function admitted({ channels = [], version }: CatalogFilter, why: string): Claim {
  const range = version === undefined || version === '' ? undefined : parseVersionRange(version);
  const named = channels.map(majorOfChannel);
  const takes = (major: number): boolean =>
    (named.length === 0 || named.includes(undefined) || named.includes(major)) &&
    (range === undefined || admitsMajor(range, major));
  const { majors } = range === undefined ? { majors: [] } : majorsOf(range);
  const request = [...channels, ...(version === undefined ? [] : [version])].join(', ');
  return {
    named: [...majors, ...named.filter((major) => major !== undefined)],
    takes,
    reason: `asks for ${request === '' ? 'any version' : request}, ${why}`,
  };
}
