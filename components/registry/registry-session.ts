import type { Readable } from 'node:stream';
import { isObject } from '../../packages/lib/json.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { basicAuthorization, dockerCredentials, type Credentials } from './credentials.ts';
import { HttpClient, readBody, type HttpMessage, type HttpOptions, type HttpResponse } from './http.ts';
import type { ImageReference } from './reference.ts';
import { RegistryError } from './registry-error.ts';

export interface RegistryOptions extends HttpOptions {
  /** Credentials for a host; by default, those of `docker login`. */
  readonly credentials?: (host: string) => Promise<Credentials | undefined>;
}

type Headers = Readonly<Record<string, string>>;

/** Talks to registries, and logs in where one asks for it. What comes back is not checked here. */
export class RegistrySession {
  readonly #http: HttpClient;
  readonly #options: RegistryOptions;
  /** What tokens are asked for: registries give no more than that. */
  readonly #actions: 'pull' | 'pull,push';
  readonly #authorizations = new Map<string, string>();

  constructor(options: RegistryOptions = {}, actions: 'pull' | 'pull,push' = 'pull') {
    this.#options = options;
    this.#actions = actions;
    this.#http = new HttpClient(options);
  }

  close(): void {
    this.#http.close();
  }

  /** The address of something in a repository, such as `manifests/latest`. */
  url({ host, path }: ImageReference, below: string): URL {
    const scheme = this.#options.plainHttp === true ? 'http' : 'https';
    // Docker Hub keeps its own images in a folder that image names leave out.
    const isHub = host === 'docker.io';
    const folder = isHub && !path.includes('/') ? 'library/' : '';
    return new URL(`${scheme}://${isHub ? 'registry-1.docker.io' : host}/v2/${folder}${path}/${below}`);
  }

  /** Whatever the registry answers, once it knows who asks. A body that is a stream goes to an address that has been asked before. */
  async open(
    reference: ImageReference,
    where: string | URL,
    headers: Headers = {},
    message: HttpMessage = {},
  ): Promise<HttpResponse<Readable>> {
    const url = typeof where === 'string' ? this.url(reference, where) : where;
    const scope = `${reference.host}/${reference.path}`;
    const isOwn = url.origin === this.url(reference, '').origin;
    const send = (): Promise<HttpResponse<Readable>> => {
      const authorization = isOwn ? this.#authorizations.get(scope) : undefined;
      return this.#http
        .open(url, authorization === undefined ? headers : { ...headers, authorization }, message)
        .catch((error: unknown) => refuseUnreached(reference, error));
    };
    const response = await send();
    const challenge = response.headers['www-authenticate'];
    if (response.status !== 401 || challenge === undefined || isStream(message.body)) return response;
    await readBody(response.body);
    // Credentials are for the registry only, not for the target of a redirect, which is mostly storage.
    if (response.url.origin !== this.url(reference, '').origin)
      throw new RegistryError(reference, redirected(response.url));
    this.#authorizations.set(scope, await this.#authorize(reference, challenge));
    return send();
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
    url.searchParams.set('scope', `repository:${reference.path}:${this.#actions}`);
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

/** What is sent may fail as well, and then says why itself. */
function refuseUnreached(reference: ImageReference, error: unknown): never {
  throw error instanceof ProblemsError ? error : RegistryError.of(reference, error);
}

/** Something else than a registry may answer, such as the login page of a network. */
export function readAnswer(reference: ImageReference, body: Buffer, what: string): unknown {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(answer)) return answer;
  } catch {
    // Said below.
  }
  throw new RegistryError(reference, `${what} is not a JSON object, so this may not be a registry`);
}

function isStream(body: HttpMessage['body']): boolean {
  return body !== undefined && !Buffer.isBuffer(body);
}

function redirected({ origin }: URL): string {
  return `the registry redirects to ${origin}, which requires a login; credentials go to the registry only`;
}

/** What a registry says with an answer that is not the wanted one. */
export async function reasonOf(response: HttpResponse<Readable>): Promise<string> {
  return explain({ ...response, body: await readBody(response.body) });
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
