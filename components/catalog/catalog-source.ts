/** Where a catalog's content comes from: rendered from releases, built from a checkout, or an image that exists. */
export type CatalogSource = 'build' | 'checkout' | 'image';

/** Label of a ClusterCatalog: its source, for readers who can see only the cluster. */
export const CATALOG_SOURCE_LABEL = 'inference-stack-fleet/catalog-source';

/** A signature that was verified before the catalog was put into the cluster. */
export interface Verified {
  /** Digest of the image that is signed. */
  readonly digest: string;
  /** Fingerprint of the key. */
  readonly key: string;
}

/** Annotations of a ClusterCatalog: which image was verified, and by which key. Whoever sees only the cluster judges by them. */
export const VERIFIED_DIGEST = 'inference-stack-fleet/verified-digest';
export const VERIFIED_KEY = 'inference-stack-fleet/verified-key';

/** A catalog built from a checkout changes with every commit, so nothing may rely on it. */
export function isDevelopment(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels?.[CATALOG_SOURCE_LABEL] === ('checkout' satisfies CatalogSource);
}

/** An image that exists may be older than the releases that a checkout knows of. */
export function mayBeOlder(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels?.[CATALOG_SOURCE_LABEL] === ('image' satisfies CatalogSource);
}
