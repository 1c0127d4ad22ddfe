import type { Readable } from 'node:stream';
import type { ImageReference } from '../registry/reference.ts';
import type { StoredManifest } from '../registry/registry-client.ts';
import type { RegistryWriter } from '../registry/registry-writer.ts';
import { mediaTypeOf, type BlobId, type ImageTarget } from './store.ts';

/** A registry, and a path in it if any, that copies are kept under. */
export interface MirrorPlace {
  readonly host: string;
  readonly path: string;
}

const PLACE = /^([a-z0-9.-]+(?::\d+)?)((?:\/[a-z0-9._-]+)*)$/;

/** Reads `registry.example.com:5000/mirror`. */
export function parsePlace(text: string): MirrorPlace | undefined {
  const [, host, path = ''] = PLACE.exec(text) ?? [];
  const isHost = host !== undefined && (host.includes('.') || host.includes(':') || host === 'localhost');
  return isHost ? { host, path: path.slice(1) } : undefined;
}

/** The copy of an image: the same path, tag and digest, below another place. */
export function placed({ host, path }: MirrorPlace, reference: ImageReference): ImageReference {
  // Docker Hub leaves out the folder of its own images, which a mirror is asked for.
  const folder = reference.host === 'docker.io' && !reference.path.includes('/') ? 'library' : '';
  return { ...reference, host, path: [path, folder, reference.path].filter((part) => part !== '').join('/') };
}

/** Writes copies into a registry. */
export class RegistryTarget implements ImageTarget {
  readonly parallel = 4;
  readonly #place: MirrorPlace;
  readonly #writer: RegistryWriter;

  constructor(place: MirrorPlace, writer: RegistryWriter) {
    this.#place = place;
    this.#writer = writer;
  }

  hasBlob(reference: ImageReference, blob: BlobId): Promise<boolean> {
    return this.#writer.hasBlob(placed(this.#place, reference), blob);
  }

  putBlob(reference: ImageReference, blob: BlobId, content: Readable): Promise<void> {
    return this.#writer.putBlob(placed(this.#place, reference), blob, content);
  }

  putManifest(reference: ImageReference, manifest: StoredManifest): Promise<void> {
    return this.#writer.putManifest(placed(this.#place, reference), mediaTypeOf(manifest), manifest.bytes);
  }
}
