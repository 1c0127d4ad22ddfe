import type { SemVer } from 'semver';
import { isObject, textAt, type Json, type JsonObject } from '../../packages/lib/json.ts';
import { parseVersion } from './version.ts';

/*
 * File-based catalog content, with the names and the field order of OLM's own definition, so that output can be
 * compared with that of OLM's programs.
 */

/** A typed fact about a bundle, e.g. `olm.package` with its package name and version. */
export interface Property {
  readonly type: string;
  readonly value: Json;
}

/** A property as a file lists it. */
export function readProperty(entry: JsonObject): Property {
  return { type: textAt(entry, 'type'), value: entry.value ?? null };
}

export interface FbcPackage {
  readonly schema: 'olm.package';
  readonly name: string;
  readonly defaultChannel: string;
  readonly icon?: { readonly base64data: string; readonly mediatype: string };
  readonly description?: string;
}

/** One bundle's place in a channel: which bundles can be upgraded to it. */
export interface ChannelEntry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly skipRange?: string;
}

export interface FbcChannel {
  readonly schema: 'olm.channel';
  readonly name: string;
  readonly package: string;
  readonly entries: readonly ChannelEntry[];
}

export interface RelatedImage {
  readonly name: string;
  readonly image: string;
}

export interface FbcBundle {
  readonly schema: 'olm.bundle';
  readonly name: string;
  readonly package: string;
  readonly image: string;
  readonly properties: readonly Property[];
  readonly relatedImages?: readonly RelatedImage[];
}

/** What a deprecation is about: the package (no name), one channel or one bundle. */
export interface DeprecationEntry {
  readonly reference: { readonly schema: 'olm.package' | 'olm.channel' | 'olm.bundle'; readonly name?: string };
  readonly message: string;
}

export interface FbcDeprecations {
  readonly schema: 'olm.deprecations';
  readonly package: string;
  readonly entries: readonly DeprecationEntry[];
}

/** The content of one catalog image: one package, as an `olm.semver` template describes it. */
export interface Catalog {
  readonly package: FbcPackage;
  readonly channels: readonly FbcChannel[];
  readonly bundles: readonly FbcBundle[];
  readonly deprecations?: FbcDeprecations;
}

/** Package name and version that a bundle states about itself; undefined when it states none, or more than one. */
export function packageProperty(bundle: FbcBundle): { packageName: string; version: string } | undefined {
  const stated = bundle.properties.filter((property) => property.type === 'olm.package');
  const value = stated.length === 1 ? stated[0]?.value : undefined;
  if (!isObject(value)) return undefined;
  const { packageName, version } = value;
  return typeof packageName === 'string' && typeof version === 'string' ? { packageName, version } : undefined;
}

/** The bundle's version; undefined unless it is a semantic version. */
export function bundleVersion(bundle: FbcBundle): SemVer | undefined {
  const stated = packageProperty(bundle);
  return stated === undefined ? undefined : parseVersion(stated.version);
}

/** The Kubernetes objects that a bundle carries inside the catalog, the ClusterServiceVersion among them. */
export function bundleObjects(bundle: FbcBundle): JsonObject[] {
  return bundle.properties
    .filter((property) => property.type === 'olm.bundle.object')
    .flatMap(({ value }) => textAt(value, 'data') || [])
    .map((data) => JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as JsonObject);
}

/** The ClusterServiceVersion of a bundle; undefined where the catalog holds only a summary of it. */
export function bundleCsv(bundle: FbcBundle): JsonObject | undefined {
  return bundleObjects(bundle).find(isCsv);
}

export function isCsv({ kind }: JsonObject): boolean {
  return kind === 'ClusterServiceVersion';
}

/** The documents of a catalog, in the order in which they are written. */
export function catalogDocuments(catalog: Catalog): (FbcPackage | FbcChannel | FbcBundle | FbcDeprecations)[] {
  return [
    catalog.package,
    ...[...catalog.channels].sort(byName),
    ...[...catalog.bundles].sort(byName),
    ...(catalog.deprecations === undefined ? [] : [catalog.deprecations]),
  ];
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
