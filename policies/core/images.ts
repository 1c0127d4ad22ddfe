import { known } from './object-reader.ts';
import type { ObjectReader } from './object-reader.ts';
import { containersOf, podSpecOf } from './pod-template.ts';

/** An image that an object makes the cluster pull. */
export interface UsedImage {
  /** `container gateway` or `catalog`. */
  readonly where: string;
  readonly read: () => string;
}

/** The images of a workload or a catalog. Reading one may find that it is not known yet. */
export function imagesOf(object: ObjectReader): UsedImage[] {
  if (object.kind === 'ClusterCatalog') {
    return [{ where: 'catalog', read: () => object.text('spec', 'source', 'image', 'ref') ?? '' }];
  }
  const podSpec = podSpecOf(object);
  if (podSpec === undefined) return [];
  const containers = containersOf(podSpec).map(({ name, object: container }) => ({
    where: `container ${name}`,
    read: () => container.text('image') ?? '',
  }));
  return [...containers, ...imageVolumes(podSpec)];
}

/**
 * The kubelet pulls what a volume holds as it pulls what a container runs. Volumes that are not known yet must not keep
 * the containers from being judged; the rule about hardened workloads says that it could not see them.
 */
function imageVolumes(podSpec: ObjectReader): UsedImage[] {
  const volumes = known(() => podSpec.list('volumes')) ?? [];
  return volumes
    .filter((volume) => known(() => volume.has('image')) ?? false)
    .map((volume) => ({
      where: `volume ${known(() => volume.text('name')) ?? volume.path}`,
      read: () => volume.text('image', 'reference') ?? '',
    }));
}
