import { bundleVersion } from './fbc.ts';
import type { Catalog } from './fbc.ts';
import { compareVersions } from './version.ts';

/** One version in one channel, as people ask for it. */
export interface OfferedVersion {
  readonly package: string;
  readonly channel: string;
  readonly version: string;
  /** Whether it is the head of the channel. */
  readonly head: boolean;
  readonly deprecated: boolean;
  readonly image: string;
}

/** Every version that a catalog offers, by channel, newest first. */
export function offeredVersions(catalog: Catalog): OfferedVersion[] {
  const bundles = new Map(catalog.bundles.map((bundle) => [bundle.name, bundle]));
  const deprecated = new Set(
    catalog.deprecations?.entries.map(({ reference }) => `${reference.schema} ${reference.name ?? ''}`),
  );
  return [...catalog.channels]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((channel) => {
      const older = new Set(channel.entries.flatMap(({ replaces, skips }) => [replaces, ...(skips ?? [])]));
      const offered = channel.entries.flatMap(({ name }) => {
        const bundle = bundles.get(name);
        const version = bundle === undefined ? undefined : bundleVersion(bundle);
        return bundle === undefined || version === undefined ? [] : [{ bundle, version }];
      });
      return offered
        .sort((a, b) => compareVersions(b.version, a.version))
        .map(({ bundle, version }) => ({
          package: channel.package,
          channel: channel.name,
          version: version.raw,
          head: !older.has(bundle.name),
          deprecated:
            deprecated.has(`olm.bundle ${bundle.name}`) ||
            deprecated.has(`olm.channel ${channel.name}`) ||
            deprecated.has('olm.package '),
          image: bundle.image,
        }));
    });
}
