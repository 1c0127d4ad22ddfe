import { createHash } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import { isObject } from '../../packages/lib/json.ts';
import { basicAuthorization, dockerCredentials } from './credentials.ts';
import type { Credentials } from './credentials.ts';
import { HttpClient, readBody } from './http.ts';
import type { HttpOptions, HttpResponse } from './http.ts';
import type { ImageReference } from './reference.ts';
import { RegistryError } from './registry-error.ts';

export interface RegistryOptions extends HttpOptions {
  /** Credentials for a host; by default, those of `docker login`. */
  readonly credentials?: (host: string) => Promise<Credentials | undefined>;
}

/** A manifest or an index, with the digest of exactly these bytes. */
export interface StoredManifest {
  readonly digest: string;
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

/** Reads from OCI registries; every answer is checked against its digest. */
export class RegistryClient {
  readonly #http: HttpClient;
  readonly #options: RegistryOptions;
  readonly #authorizations = new Map<string, string>();

  constructor(options: RegistryOptions = {}) {
    this.#options = options;
    this.#http = new HttpClient(options);
  }

  async manifest(reference: ImageReference): Promise<StoredManifest> {
    const wanted = reference.digest ?? reference.tag ?? 'latest';
    const body = await readBody((await this.#open(reference, `manifests/${wanted}`)).body);
    const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
    if (reference.digest !== undefined && reference.digest !== digest) {
      throw new RegistryError(reference, `the registry answered with ${digest}`);
    }
    return { digest, content: readAnswer(reference, body, 'its manifest') as Manifest };
  }

  /** A blob as it arrives. It fails at its end, or as soon as it is too long, if it does not match its descriptor. */
  async blob(reference: ImageReference, { digest, size }: Pick<Descriptor, 'digest' | 'size'>): Promise<Readable> {
    const { body } = await this.#open(reference, `blobs/${digest}`);
    const failure = new RegistryError(reference, `the content of blob ${digest} does not match its digest`);
    const hash = createHash('sha256');
    let length = 0;
    const verify = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        length += chunk.length;
        done(length > size ? failure : null, chunk);
      },
      flush(done) {
        done(`sha256:${hash.digest('hex')}` === digest ? null : failure);
      },
    });
    // Errors reach the reader of the result; the callback only keeps them from being thrown.
    return pipeline(body, verify, () => undefined);
  }

  close(): void {
    this.#http.close();
  }

  async #open(reference: ImageReference, path: string): Promise<HttpResponse<Readable>> {
    const scheme = this.#options.plainHttp === true ? 'http' : 'https';
    const host = reference.host === 'docker.io' ? 'registry-1.docker.io' : reference.host;
    // Docker Hub keeps its own images in a folder that image names leave out.
    const folder = reference.host === 'docker.io' && !reference.path.includes('/') ? 'library/' : '';
    const url = new URL(`${scheme}://${host}/v2/${folder}${reference.path}/${path}`);
    const scope = `${reference.host}/${reference.path}`;
    const send = (): Promise<HttpResponse<Readable>> => {
      const authorization = this.#authorizations.get(scope);
      const headers = { accept: path.startsWith('manifests/') ? MANIFEST_TYPES : '*/*' };
      return this.#http
        .open(url, authorization === undefined ? headers : { ...headers, authorization })
        .catch((error: unknown) => refuseUnreached(reference, error));
    };
    let response = await send();
    const challenge = response.headers['www-authenticate'];
    if (response.status === 401 && challenge !== undefined) {
      await readBody(response.body);
      // Credentials are for the registry only, not for the target of a redirect, which is mostly storage.
      if (response.url.origin !== url.origin) throw new RegistryError(reference, redirected(response.url));
      this.#authorizations.set(scope, await this.#authorize(reference, challenge));
      response = await send();
    }
    if (response.status === 200) return response;
    const reason = explain({ ...response, body: await readBody(response.body) });
    const failure = response.status === 401 || response.status === 403 ? 'login' : 'name';
    throw new RegistryError(reference, reason, failure, response.status);
  }

  /** Answers a challenge: with name and password themselves, or with a token that is fetched for them. */
  async #authorize(reference: ImageReference, challenge: string): Promise<string> {
    const credentials = await (this.#options.credentials ?? dockerCredentials)(reference.host);
    if (/^basic /i.test(challenge)) {
      if (credentials === undefined) throw new RegistryError(reference, 'the registry requires a login', 'login');
      return basicAuthorization(credentials);
    }
    const parameters = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    const realm = parameters.get('realm');
    if (realm === undefined)
      throw new RegistryError(reference, `the registry asks for ${challenge}, which is not supported`);
    const url = new URL(realm);
    // A registry that is reached over HTTPS must not make the client send name and password in the clear for a token.
    if (url.protocol !== 'https:' && this.#options.plainHttp !== true) {
      throw new RegistryError(reference, `the registry asks to fetch a token without TLS, from ${url.origin}`);
    }
    url.searchParams.set('service', parameters.get('service') ?? '');
    url.searchParams.set('scope', `repository:${reference.path}:pull`);
    const headers: Record<string, string> =
      credentials === undefined ? {} : { authorization: basicAuthorization(credentials) };
    const response = await this.#http.get(url, headers).catch((error: unknown) => refuseUnreached(reference, error));
    if (response.status !== 200) throw new RegistryError(reference, `no token: ${explain(response)}`, 'login');
    const answer = readAnswer(reference, response.body, `the token of ${url.host}`) as {
      token?: string;
      access_token?: string;
    };
    return `Bearer ${answer.token ?? answer.access_token ?? ''}`;
  }
}

function refuseUnreached(reference: ImageReference, error: unknown): never {
  throw RegistryError.of(reference, error);
}

/** Something else than a registry may answer, such as the login page of a network. */
function readAnswer(reference: ImageReference, body: Buffer, what: string): unknown {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(answer)) return answer;
  } catch {
    // Said below.
  }
  throw new RegistryError(reference, `${what} is not a JSON object, so this may not be a registry`);
}

function redirected({ origin }: URL): string {
  return `the registry redirects to ${origin}, which requires a login; credentials go to the registry only`;
}

/** `404 MANIFEST_UNKNOWN manifest unknown` from an error answer, or its bare status. */
function explain({ status, body }: HttpResponse): string {
  try {
    const { errors } = JSON.parse(body.toString('utf8')) as { errors?: { code?: string; message?: string }[] };
    const [first] = errors ?? [];
    return [String(status), first?.code, first?.message].filter((part) => part !== undefined).join(' ');
  } catch {
    return String(status);
  }
}
