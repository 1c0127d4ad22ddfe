import { MANAGED_BY } from '../../packages/api/labels.ts';
import type { PlainObject } from '../plain-object.ts';
import { isByDigest } from '../registry/reference.ts';
import {
  CATALOG_SOURCE_LABEL,
  VERIFIED_DIGEST,
  VERIFIED_KEY,
  type CatalogSource,
  type Verified,
} from './catalog-source.ts';
import { CATALOG_NAME_LABEL } from './served-catalog.ts';

/** How often catalogd looks for a new image behind a tag, and which catalog wins where several offer the package, unless told otherwise. */
export const POLL_MINUTES = 15;
export const CATALOG_PRIORITY = 0;

export interface CatalogObject<Image> extends PlainObject<'olm.operatorframework.io/v1', 'ClusterCatalog'> {
  readonly spec: { readonly priority: number; readonly source: { readonly type: 'Image'; readonly image: Image } };
}

export interface CatalogFields<Image> {
  readonly name: string;
  /** Where its content comes from; policies judge by it. */
  readonly source: CatalogSource;
  readonly priority?: number | undefined;
  /** The signature of the image, if there is one that was verified. */
  readonly verified?: Verified | undefined;
  /** From `imageSource`; a program may not know it yet. */
  readonly image: Image;
}

/** The ClusterCatalog that OLM serves. */
export function catalogObject<Image>({
  name,
  source,
  priority = CATALOG_PRIORITY,
  verified,
  image,
}: CatalogFields<Image>): CatalogObject<Image> {
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterCatalog',
    metadata: {
      name,
      // catalogd's webhook would add the name label. Setting it here lets the catalog be applied before the webhook answers.
      labels: { ...MANAGED_BY, [CATALOG_NAME_LABEL]: name, [CATALOG_SOURCE_LABEL]: source },
      ...(verified === undefined
        ? {}
        : { annotations: { [VERIFIED_DIGEST]: verified.digest, [VERIFIED_KEY]: verified.key } }),
    },
    spec: { priority, source: { type: 'Image', image } },
  };
}

export interface ImageSource {
  readonly ref: string;
  readonly pollIntervalMinutes?: number;
}

/** OLM refuses a poll interval for a digest, which never changes. */
export function imageSource(ref: string, pollIntervalMinutes = POLL_MINUTES): ImageSource {
  return isByDigest(ref) ? { ref } : { ref, pollIntervalMinutes };
}
