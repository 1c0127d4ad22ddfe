import { addVersion } from '../../../components/catalog/release.ts';
import type { CatalogState } from '../../../components/catalog/release.ts';
import type { Stream } from '../../../components/catalog/template.ts';
import { tinyBundle } from './tiny-bundle.ts';

const EMPTY = 'Schema: olm.semver\nGenerateMajorChannels: true\n';

/** A catalog in which tiny bundles of these versions are released, each to its streams, in this order. */
export function releasedState(
  versions: Readonly<Record<string, readonly Stream[]>>,
  file = 'catalog.yaml',
): CatalogState {
  return Object.entries(versions).reduce<CatalogState>(
    (state, [version, streams]) => releaseTiny(state, version, streams),
    { file, template: EMPTY, lock: { package: 'tiny', versions: [] } },
  );
}

/** The same with one version more. */
export function releaseTiny(state: CatalogState, version: string, streams: readonly Stream[]): CatalogState {
  const image = `docker.io/tytn/tiny:${version}`;
  const digest = `sha256:${Buffer.from(version).toString('hex').padEnd(64, '0')}`;
  return addVersion(state, { image, digest, bundle: tinyBundle(image, { version }), streams });
}
