import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { readBody, type HttpResponse } from './http.ts';
import type { ImageReference } from './reference.ts';
import { RegistryError } from './registry-error.ts';
import { readAnswer, reasonOf, RegistrySession, type RegistryOptions } from './registry-session.ts';
import { verified } from './verified.ts';

export type { RegistryOptions } from './registry-session.ts';

/** A manifest or an index, with the digest of exactly these bytes. */
export interface StoredManifest {
  readonly digest: string;
  readonly bytes: Buffer;
  readonly content: Manifest;
}

/** The parts of an OCI or Docker manifest or index that are read here. */
export interface Manifest {
  readonly mediaType?: string;
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
  readonly manifests?: readonly Descriptor[];
}

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes as stored: for a layer, compressed. */
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** How registries without the API of referrers answer: they lack it, do not know it, or (Artifactory) have nothing of that type. */
const WITHOUT_REFERRERS = [400, 404, 405, 406, 501];

/** Reads from OCI registries; every answer is checked against its digest. */
export class RegistryClient {
  readonly #session: RegistrySession;

  constructor(options: RegistryOptions = {}) {
    this.#session = new RegistrySession(options);
  }

  async manifest(reference: ImageReference): Promise<StoredManifest> {
    const wanted = reference.digest ?? reference.tag ?? 'latest';
    const bytes = await readBody((await this.#open(reference, `manifests/${wanted}`, MANIFEST_TYPES)).body);
    const digest = digestOf(bytes);
    if (reference.digest !== undefined && reference.digest !== digest) {
      throw new RegistryError(reference, `the registry answered with ${digest}`);
    }
    return { digest, bytes, content: readAnswer(reference, bytes, 'its manifest') as Manifest };
  }

  /** A blob as it arrives. It fails at its end, or as soon as it is too long, if it does not match its descriptor. */
  async blob(reference: ImageReference, { digest, size }: Pick<Descriptor, 'digest' | 'size'>): Promise<Readable> {
    const { body } = await this.#open(reference, `blobs/${digest}`, '*/*');
    const failure = new RegistryError(reference, `the content of blob ${digest} does not match its digest`);
    return verified(body, { digest, size }, failure);
  }

  /** What was attached to a manifest, as an index; undefined where the registry keeps no list of that, or nothing is on it. */
  async referrers(reference: ImageReference, digest: string): Promise<StoredManifest | undefined> {
    const response = await this.#session.open(reference, `referrers/${digest}`, { accept: MANIFEST_TYPES });
    if (response.status !== 200 && !WITHOUT_REFERRERS.includes(response.status))
      await refuseAnswer(reference, response);
    const bytes = await readBody(response.body);
    if (response.status !== 200 || !/image\.index/.test(response.headers['content-type'] ?? '')) return undefined;
    const content = readAnswer(reference, bytes, 'its list of referrers') as Manifest;
    return (content.manifests ?? []).length === 0 ? undefined : { digest: digestOf(bytes), bytes, content };
  }

  close(): void {
    this.#session.close();
  }

  async #open(reference: ImageReference, path: string, accept: string): Promise<HttpResponse<Readable>> {
    const response = await this.#session.open(reference, path, { accept });
    return response.status === 200 ? response : refuseAnswer(reference, response);
  }
}

async function refuseAnswer(reference: ImageReference, response: HttpResponse<Readable>): Promise<never> {
  const failure = response.status === 401 || response.status === 403 ? 'login' : 'name';
  throw new RegistryError(reference, await reasonOf(response), failure, response.status);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
