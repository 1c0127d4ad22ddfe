import type { Descriptor } from '../registry/registry-client.ts';

/*
 * An archive is an OCI image layout in a tar file. Blobs come first, so that an archive whose
 * writer was killed can be continued; what says which images there are comes last.
 */

/** The file that says that this is a layout. */
export const LAYOUT_FILE = 'oci-layout';
export const LAYOUT_VERSION = JSON.stringify({ imageLayoutVersion: '1.0.0' });
export const INDEX_FILE = 'index.json';

/** The name of an image, with its registry. */
export const REF_NAME = 'org.opencontainers.image.ref.name';
/** What an image is for. */
export const ROLE = 'inference-stack-fleet/role';
/** Files beside the images, of a few megabytes at most: `extra/olm.yaml`. */
export const EXTRA = 'extra/';

export interface LayoutIndex {
  readonly schemaVersion: 2;
  readonly mediaType: 'application/vnd.oci.image.index.v1+json';
  readonly manifests: readonly Descriptor[];
}

/** Where a layout has a blob or a manifest. */
export function blobName(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}

/** The digest of the content of a file; undefined for files that are not blobs. */
export function digestOfName(name: string): string | undefined {
  const [, hex] = /^blobs\/sha256\/([0-9a-f]{64})$/.exec(name) ?? [];
  return hex === undefined ? undefined : `sha256:${hex}`;
}
