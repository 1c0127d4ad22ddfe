import { known } from './object-reader.ts';
import type { ObjectReader } from './object-reader.ts';
import { CONTAINER_LISTS, containersOf, podSpecOf } from './pod-template.ts';

/** An image that an object makes the cluster pull. */
export interface UsedImage {
  /** `container gateway` or `catalog`. */
  readonly where: string;
  /** The path of the image in the object. */
  readonly path: string;
  readonly read: () => string;
}

/** The images of a workload or a catalog. Reading one throws when it is not known yet. */
export function imagesOf(object: ObjectReader): UsedImage[] {
  if (object.kind === 'ClusterCatalog') {
    const keys = ['spec', 'source', 'image', 'ref'];
    return [{ where: 'catalog', path: keys.join('.'), read: () => object.text(...keys) ?? '' }];
  }
  const podSpec = podSpecOf(object);
  if (podSpec === undefined) return [];
  return [...CONTAINER_LISTS.flatMap((list) => containerImages(podSpec, list)), ...imageVolumes(podSpec)];
}

/** A list that is not known yet counts as one image; reading that image throws. */
function containerImages(podSpec: ObjectReader, list: (typeof CONTAINER_LISTS)[number]): UsedImage[] {
  const containers = known(() => containersOf(podSpec, list));
  if (containers === undefined)
    return [{ where: list, path: `${podSpec.path}.${list}`, read: () => podSpec.child(list).path }];
  return containers.map(({ name, object }) => ({
    where: `container ${name}`,
    path: `${object.path}.image`,
    read: () => object.text('image') ?? '',
  }));
}

/**
 * The kubelet also pulls the images of volumes. Volumes that are not known yet must not keep the containers from being
 * judged; the rule about hardened workloads reports that it could not see them.
 */
function imageVolumes(podSpec: ObjectReader): UsedImage[] {
  const volumes = known(() => podSpec.list('volumes')) ?? [];
  return volumes
    .filter((volume) => known(() => volume.has('image')) ?? false)
    .map((volume) => ({
      where: `volume ${known(() => volume.text('name')) ?? volume.path}`,
      path: `${volume.path}.image.reference`,
      read: () => volume.text('image', 'reference') ?? '',
    }));
}
