import { pullCatalog } from '../../components/catalog/pull-catalog.ts';
import { manifestImages, type Manifest } from '../../components/olm/manifest.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';
import { ENGINE_TABLES } from '../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS } from '../../packages/render/onwards/table.ts';
import type { OpenEngine } from '../../packages/api/types.ts';

/** What an image is for; the settings name the first three. */
export type Role =
  'catalog' | 'catalogd' | 'operatorController' | 'bundle' | 'operator' | 'gateway' | 'engine' | 'other';

/** An image that is copied, by the name that others know it by. */
export interface WantedImage {
  readonly name: string;
  readonly role: Role;
}

export interface Wanted {
  /** By digest. */
  readonly catalog: string;
  /** Undefined where the cluster's OLM comes from elsewhere. */
  readonly olm: Manifest | undefined;
  readonly engines: readonly OpenEngine[];
  readonly others: readonly string[];
}

/** Every image that a fleet of this catalog needs, each once: of all versions, since a client may be at any of them. */
export async function mirrorContents(client: RegistryClient, wanted: Wanted): Promise<readonly WantedImage[]> {
  const { catalog, olm, engines, others } = wanted;
  const { bundles } = await pullCatalog(client, catalog);
  const images: readonly WantedImage[] = [
    ...(olm === undefined ? [] : [...manifestImages(olm.objects)].map(([role, name]) => ({ name, role }))),
    { name: catalog, role: 'catalog' },
    ...bundles.map(({ image }) => ({ name: image, role: 'bundle' as const })),
    ...bundles.flatMap(({ relatedImages = [] }) =>
      relatedImages.map(({ image }) => ({ name: image, role: 'operator' as const })),
    ),
    ...(engines.length === 0
      ? []
      : ONWARDS_REVISIONS.map(({ image }) => ({ name: named(image), role: 'gateway' as const }))),
    ...engines.flatMap(engineImages),
    ...others.map((name) => ({ name, role: 'other' as const })),
  ];
  const seen = new Set<string>();
  return images.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Of every revision: stacks keep the one that they started with. */
function engineImages(engine: OpenEngine): readonly WantedImage[] {
  return ENGINE_TABLES[engine].revisions.flatMap(({ image, gpuImage }) =>
    [image, gpuImage].flatMap((each) => (each === undefined ? [] : [{ name: named(each), role: 'engine' as const }])),
  );
}

/** Canonical: container runtimes take a name without a registry for one of Docker Hub. */
function named({ repository, tag }: { readonly repository: string; readonly tag: string }): string {
  const [first = ''] = repository.split('/');
  return `${/[.:]/.test(first) ? '' : 'docker.io/'}${repository}:${tag}`;
}
