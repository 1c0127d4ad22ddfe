import type { Readable } from 'node:stream';
import type { ImageReference } from '../registry/reference.ts';
import type { Descriptor, StoredManifest } from '../registry/registry-client.ts';

/** A blob, by what it is known by. */
export type BlobId = Pick<Descriptor, 'digest' | 'size'>;

/** Where images come from: a registry, or an archive. What it gives is checked against its digest. */
export interface ImageSource {
  /** Fails with a RegistryError of status 404 where there is none. */
  manifest(reference: ImageReference): Promise<StoredManifest>;
  blob(reference: ImageReference, blob: BlobId): Promise<Readable>;
  /** What was attached to a manifest, as an index. */
  referrers(reference: ImageReference, digest: string): Promise<StoredManifest | undefined>;
}

/** Where images go. References are those of the source. */
export interface ImageTarget {
  /** How many blobs it takes at the same time. */
  readonly parallel: number;
  hasBlob(reference: ImageReference, blob: BlobId): Promise<boolean>;
  putBlob(reference: ImageReference, blob: BlobId, content: Readable): Promise<void>;
  /** Named by the tag that the reference has, or else by its digest. */
  putManifest(reference: ImageReference, manifest: StoredManifest): Promise<void>;
}

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

/** The kind of a manifest. OCI lets it be left out of the text. */
export function mediaTypeOf({ content }: Pick<StoredManifest, 'content'>): string {
  return content.mediaType ?? (content.manifests === undefined ? MANIFEST : INDEX);
}
