import type { SemVer } from 'semver';
import { bestOf } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { isSelected } from './served-catalog.ts';
import type { CatalogFilter, ServedCatalog } from './served-catalog.ts';
import type { Edge, InstalledBundle } from './successors.ts';
import { parseVersionRange } from './version-range.ts';
import type { VersionRange } from './version-range.ts';

export type Resolution = Resolved | Unresolved;

export interface Resolved {
  readonly outcome: 'resolved';
  readonly catalog: string;
  readonly bundle: string;
  readonly image: string;
  readonly version: SemVer;
  readonly deprecated: boolean;
  readonly edge: Edge;
}

export interface Unresolved {
  readonly outcome: 'unresolved';
  /** In the words that OLM puts into the extension's conditions. */
  readonly reason: string;
}

/** OLM cannot install bundles that depend on others. */
const DEPENDENCIES = ['olm.package.required', 'olm.gvk.required', 'olm.constraint'];

interface Found extends Candidate {
  readonly catalog: string;
  readonly priority: number;
}

/**
 * What OLM v1 would install for an extension, given the catalogs of a cluster. In each selected catalog, that is the
 * highest version that channels, version range and upgrade edges admit. Bundles that are not deprecated come first;
 * among catalogs, the one with the highest priority wins.
 */
export function resolve(
  filter: CatalogFilter,
  catalogs: readonly ServedCatalog[],
  installed?: InstalledBundle,
): Resolution {
  const range = readRange(filter.version);
  if (range === 'invalid') return unresolved(`desired version range ${JSON.stringify(filter.version)} is invalid`);
  const selected = catalogs.filter((catalog) => isSelected(filter, catalog));
  const failing = selected.find((catalog) => catalog.failure !== undefined);
  if (failing?.failure !== undefined) {
    const what = `package ${JSON.stringify(filter.packageName)} from catalog ${JSON.stringify(failing.name)}`;
    return unresolved(`error getting ${what}: ${failing.failure}`);
  }
  const found = selected.flatMap((catalog) => {
    const content = catalog.packages.find((candidate) => candidate.package.name === filter.packageName);
    const best = content === undefined ? undefined : bestOf(content, filter, range, installed);
    return best === undefined ? [] : [{ ...best, catalog: catalog.name, priority: catalog.priority ?? 0 }];
  });
  return choose(preferCurrent(found), filter, installed);
}

function readRange(text: string | undefined): VersionRange | 'invalid' | undefined {
  return text === undefined || text === '' ? undefined : (parseVersionRange(text) ?? 'invalid');
}

/** A deprecated bundle counts only if no catalog has one that is not deprecated. */
function preferCurrent(found: readonly Found[]): readonly Found[] {
  const current = found.filter((candidate) => !candidate.deprecated);
  return current.length > 0 ? current : found;
}

function choose(found: readonly Found[], filter: CatalogFilter, installed: InstalledBundle | undefined): Resolution {
  const highest = Math.max(...found.map(({ priority }) => priority));
  const top = found.filter(({ priority }) => priority === highest);
  const [best, ...rivals] = top;
  if (best === undefined || rivals.length > 0) return unresolved(explain(found, filter, installed));
  const { name, version, edge } = best;
  if (version === undefined || edge === undefined) {
    return unresolved(`error getting resolved bundle version for bundle ${JSON.stringify(name)}`);
  }
  const dependency = best.properties.find(({ type }) => DEPENDENCIES.includes(type));
  if (dependency !== undefined) {
    const what = `bundle ${JSON.stringify(name)} has a dependency declared via property ${JSON.stringify(dependency.type)}`;
    return unresolved(`validating bundle ${JSON.stringify(name)}: ${what} which is currently not supported`);
  }
  const { catalog, image, deprecated } = best;
  return { outcome: 'resolved', catalog, bundle: name, image, version, deprecated, edge };
}

function explain(found: readonly Found[], filter: CatalogFilter, installed: InstalledBundle | undefined): string {
  const parts = [
    installed && `error upgrading from currently installed version ${JSON.stringify(installed.version.version)}:`,
    `${found.length > 1 ? 'found bundles' : 'no bundles found'} for package ${JSON.stringify(filter.packageName)}`,
    filter.version && `matching version ${JSON.stringify(filter.version)}`,
    filter.channels?.length && `in channels [${filter.channels.join(' ')}]`,
    found.length > 1 && `in multiple catalogs with the same priority [${catalogNames(found).join(' ')}]`,
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function catalogNames(found: readonly Found[]): string[] {
  return found.map(({ catalog }) => catalog).sort();
}

function unresolved(reason: string): Unresolved {
  return { outcome: 'unresolved', reason };
}
