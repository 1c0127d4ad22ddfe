import yaml from 'js-yaml';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { byDigest, parseReference } from '../registry/reference.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';
import type { FbcBundle } from './fbc.ts';
import { isObject } from '../../packages/lib/json.ts';
import type { Stream } from './template.ts';
import { STREAMS } from './template.ts';

/** A version as it was released. Nothing in it changes any more, except that streams are added. */
export interface LockedVersion {
  readonly version: string;
  /** The bundle image's name, as the template lists it. */
  readonly image: string;
  /** What that name stood for when the version was released; the catalog refers to this. */
  readonly digest: string;
  readonly streams: readonly Stream[];
  /** The bundle's catalog entry, so that the catalog can be rebuilt without pulling every version ever released. */
  readonly bundle: FbcBundle;
}

/** Everything that was ever released. */
export interface CatalogLock {
  readonly package: string;
  readonly versions: readonly LockedVersion[];
}

const HEADER =
  '# What was released. Written by `fleet catalog add` and `fleet catalog promote`; edit the template instead.\n';

export function writeLock(lock: CatalogLock): string {
  return HEADER + writeYaml(lock);
}

/** Reads a lock; throws if it was damaged by hand, because nothing may be published against a damaged lock. */
export function parseLock(text: string, file: string): CatalogLock {
  const document = readYaml(text, file, yaml.CORE_SCHEMA);
  const versions = isObject(document) ? document.versions : undefined;
  if (!isObject(document) || typeof document.package !== 'string' || !Array.isArray(versions)) {
    return damaged(file, '');
  }
  return {
    package: document.package,
    versions: versions.map((entry, index) => (isLocked(entry) ? entry : damaged(file, `versions[${index}]`))),
  };
}

/** Catalog entries by the image names of the template; the entries themselves name images by digest. */
export function lockedBundles(lock: CatalogLock): Map<string, FbcBundle> {
  return new Map(lock.versions.map(({ image, bundle }) => [image, bundle]));
}

/** A bundle's catalog entry as the lock keeps it: with its own image by digest everywhere. */
export function pinBundle(bundle: FbcBundle, digest: string): FbcBundle {
  const reference = parseReference(bundle.image);
  if (reference === undefined) throw new RangeError(`${bundle.image} is not canonical`);
  const pinned = byDigest(reference, digest);
  const related = bundle.relatedImages ?? [];
  return {
    ...bundle,
    image: pinned,
    relatedImages: related
      .map((entry) => (entry.image === bundle.image ? { ...entry, image: pinned } : entry))
      .sort((a, b) => (a.image < b.image ? -1 : 1)),
  };
}

function isLocked(entry: unknown): entry is LockedVersion {
  if (!isObject(entry)) return false;
  const { version, image, digest, streams, bundle } = entry;
  return (
    [version, image, digest].every((value) => typeof value === 'string') &&
    Array.isArray(streams) &&
    streams.every((stream) => (STREAMS as readonly unknown[]).includes(stream)) &&
    isObject(bundle) &&
    bundle.schema === 'olm.bundle'
  );
}

function damaged(file: string, path: string): never {
  const remedy = `Restore it, e.g. with git checkout ${file}.`;
  throw new ProblemsError([{ object: file, path, message: 'is not what `fleet catalog add` writes', remedy }]);
}
