import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface StoredManifest {
  readonly type: string;
  readonly content: Buffer;
}

/** An OCI registry on loopback that keeps everything in memory, and does to a request what a test says. */
export class MemoryRegistry {
  /** By digest. */
  readonly blobs = new Map<string, Buffer>();
  /** By `path:tag` and by `path@digest`. */
  readonly manifests = new Map<string, StoredManifest>();
  /** `GET /v2/...` of everything that was asked. */
  readonly asked: string[] = [];
  /** Answers a request in place of the registry; it says whether it did. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #server = createServer((request, response) => {
    this.asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (!this.intercept(request, response)) void this.#answer(request, response);
  });

  static async start(): Promise<MemoryRegistry> {
    const registry = new MemoryRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${this.host}`);
    const [, path = '', kind = '', name = ''] =
      /^\/v2\/(.+?)\/(blobs\/uploads|blobs|manifests)\/(.*)$/.exec(url.pathname) ?? [];
    const write = request.method !== 'GET' && request.method !== 'HEAD';
    if (kind === 'blobs/uploads') return this.#upload(path, url, request, response);
    if (kind === 'manifests' && write) return this.#putManifest(path, name, request, response);
    const manifest = this.manifests.get(`${path}${name.startsWith('sha256:') ? '@' : ':'}${name}`);
    const content = kind === 'manifests' ? manifest?.content : this.blobs.get(name);
    if (content === undefined) {
      const code = kind === 'manifests' ? 'MANIFEST_UNKNOWN' : 'BLOB_UNKNOWN';
      response.writeHead(404).end(JSON.stringify({ errors: [{ code, message: 'unknown' }] }));
      return;
    }
    const type = manifest === undefined ? {} : { 'content-type': manifest.type };
    const headers = { ...type, 'content-length': content.length, 'docker-content-digest': digestOf(content) };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : content);
  }

  async #upload(path: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') {
      response.writeHead(202, { location: `/v2/${path}/blobs/uploads/1` }).end();
      return;
    }
    const content = await buffer(request).catch(() => undefined);
    if (content === undefined) return;
    const digest = url.searchParams.get('digest') ?? '';
    if (digestOf(content) !== digest) {
      response.writeHead(400).end(JSON.stringify({ errors: [{ code: 'DIGEST_INVALID', message: 'another digest' }] }));
      return;
    }
    this.blobs.set(digest, content);
    response.writeHead(201, { location: url.pathname }).end();
  }

  async #putManifest(path: string, name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await buffer(request);
    const stored = { type: request.headers['content-type'] ?? '', content };
    this.manifests.set(`${path}@${digestOf(content)}`, stored);
    if (!name.startsWith('sha256:')) this.manifests.set(`${path}:${name}`, stored);
    response.writeHead(201).end();
  }
}

export function digestOf(content: Buffer | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
