import type { Readable } from 'node:stream';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { readBody, type HttpMessage, type HttpResponse } from './http.ts';
import { formatReference, type ImageReference } from './reference.ts';
import type { Descriptor } from './registry-client.ts';
import { RegistryError } from './registry-error.ts';
import { reasonOf, RegistrySession, type RegistryOptions } from './registry-session.ts';

/** Something that a registry does not take, with what to do about it. */
export class PushError extends ProblemsError {
  constructor(reference: ImageReference, reason: string, status?: number) {
    const remedy =
      status === 401 || status === 403
        ? `Run docker login ${reference.host} as a user who may push there, or set DOCKER_CONFIG to a directory whose config.json has its user.`
        : 'Look at what the registry says, and at the room on its disk; then run the same command again, which goes on where it was.';
    super([{ object: formatReference(reference), path: '', message: `cannot be pushed: ${reason}`, remedy }]);
    this.name = 'PushError';
  }
}

/** Writes to an OCI registry, which checks every digest itself. */
export class RegistryWriter {
  readonly #session: RegistrySession;

  constructor(options: RegistryOptions = {}) {
    this.#session = new RegistrySession(options, 'pull,push');
  }

  close(): void {
    this.#session.close();
  }

  async hasBlob(reference: ImageReference, { digest, size }: Pick<Descriptor, 'digest' | 'size'>): Promise<boolean> {
    const response = await this.#open(reference, `blobs/${digest}`, {}, { method: 'HEAD' });
    await readBody(response.body);
    if (response.status === 404) return false;
    if (response.status !== 200) throw new PushError(reference, String(response.status), response.status);
    return Number(response.headers['content-length'] ?? size) === size;
  }

  /** Sends a blob as it is read. Nothing of it counts before all of it has arrived. */
  async putBlob(
    reference: ImageReference,
    { digest, size }: Pick<Descriptor, 'digest' | 'size'>,
    content: Readable,
  ): Promise<void> {
    try {
      const begun = await this.#open(reference, 'blobs/uploads/', { 'content-length': '0' }, { method: 'POST' });
      const location = begun.headers.location;
      await this.#expect(reference, begun, 202);
      if (location === undefined) throw new PushError(reference, 'the registry does not say where to upload to');
      const url = new URL(location, begun.url);
      url.searchParams.set('digest', digest);
      const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size) };
      await this.#expect(reference, await this.#open(reference, url, headers, { method: 'PUT', body: content }), 201);
    } finally {
      content.destroy();
    }
  }

  /** Names a manifest by its digest, or by a tag. */
  async putManifest(reference: ImageReference, mediaType: string, body: Buffer): Promise<void> {
    const headers = { 'content-type': mediaType, 'content-length': String(body.length) };
    const where = `manifests/${reference.tag ?? reference.digest ?? ''}`;
    await this.#expect(reference, await this.#open(reference, where, headers, { method: 'PUT', body }), 201);
  }

  async #expect(reference: ImageReference, response: HttpResponse<Readable>, status: number): Promise<void> {
    if (response.status !== status) throw new PushError(reference, await reasonOf(response), response.status);
    await readBody(response.body);
  }

  async #open(
    reference: ImageReference,
    where: string | URL,
    headers: Readonly<Record<string, string>>,
    message: HttpMessage,
  ): Promise<HttpResponse<Readable>> {
    try {
      return await this.#session.open(reference, where, headers, message);
    } catch (error) {
      // What cannot be read at the source keeps its own words.
      if (!(error instanceof RegistryError) || !error.isOf(reference)) throw error;
      throw new PushError(reference, error.reason, error.failure === 'login' ? 401 : undefined);
    }
  }
}
