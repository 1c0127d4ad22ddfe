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
  return containersOf(podSpec).map(({ name, object: container }) => ({
    where: `container ${name}`,
    read: () => container.text('image') ?? '',
  }));
}
