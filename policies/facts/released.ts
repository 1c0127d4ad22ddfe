import { existsSync, readFileSync } from 'node:fs';
import { channelName } from '../../packages/api/channels.ts';
import { parseLock } from '../../components/catalog/lock.ts';
import type { CatalogLock, LockedVersion } from '../../components/catalog/lock.ts';
import type { PackageContent } from '../../components/catalog/served-catalog.ts';
import type { Facts } from '../knowledge/facts.ts';

/** What a lock records: nothing without a lock, an error when it is damaged. */
export function readReleased(file: string): Pick<Facts, 'released'> {
  if (!existsSync(file)) return {};
  return { released: [releasedPackage(parseLock(readFileSync(file, 'utf8'), file))] };
}

/** The promise about released versions, as a catalog: they keep their images, and stable ones stay stable. */
export function releasedPackage(lock: CatalogLock): PackageContent {
  const stable = lock.versions.filter(({ streams }) => streams.includes('Stable'));
  return {
    package: { name: lock.package },
    bundles: lock.versions.map(({ bundle }) => bundle),
    channels: [...Map.groupBy(stable, stableChannel)].map(([name, versions]) => ({
      name,
      entries: versions.map(({ bundle }) => ({ name: bundle.name })),
    })),
  };
}

/** The channel that operators subscribe to. */
function stableChannel({ version }: LockedVersion): string {
  return channelName('stable', Number(version.split('.')[0]));
}
