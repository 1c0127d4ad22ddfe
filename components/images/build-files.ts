/** How BuildKit exports an image: pushed under names, one after the other, or into a folder in OCI's layout. */
export type Export = { readonly push: readonly string[] } | { readonly folder: string };

/** Where a build writes to. */
export interface BuildFiles {
  /** What BuildKit says about the image, its digest for instance. */
  readonly metadata: string;
  readonly export: Export;
}
