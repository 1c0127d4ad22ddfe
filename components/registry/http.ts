import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import tls from 'node:tls';

/** How registries are reached. */
export interface HttpOptions {
  /** Talk HTTP instead of HTTPS: for registries on loopback or a closed network. */
  readonly plainHttp?: boolean;
  /** PEM certificates of authorities to trust beside Node's own. */
  readonly ca?: string;
}

export interface HttpResponse<Body = Buffer> {
  /** Who answered: the last target, where there were redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Body;
}

type Headers = Readonly<Record<string, string>>;

/** What is sent beside the address and the headers. */
export interface HttpMessage {
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | undefined;
  /** A stream has its length in the headers. It is read once, so a request with one follows no redirect. */
  readonly body?: Buffer | Readable | undefined;
}

const MAX_REDIRECTS = 5;
const MAX_SOCKETS = 8;
const TIMEOUT_MS = 30_000;
/** A registry reads a large blob once more before it says that it has it. */
const UPLOAD_TIMEOUT_MS = 600_000;
/** The largest body that is read into memory: the limit that registries and their other clients agree on for manifests. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Sends requests over kept connections; follows redirects, but takes no credentials to another origin. */
export class HttpClient {
  readonly #plain = new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #secure: https.Agent;

  constructor(options: HttpOptions = {}) {
    const trust = options.ca === undefined ? {} : { ca: [...tls.getCACertificates('default'), options.ca] };
    this.#secure = new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, ...trust });
  }

  /** Reads a small answer whole. */
  async get(url: URL, headers: Headers = {}): Promise<HttpResponse> {
    const response = await this.open(url, headers);
    return { ...response, body: await readBody(response.body) };
  }

  /** An answer whose body is read as it arrives. Whoever opens it reads it to its end, or destroys it. */
  async open(
    url: URL,
    headers: Headers = {},
    message: HttpMessage = {},
    redirects = 0,
  ): Promise<HttpResponse<Readable>> {
    const response = await this.#send(url, headers, message);
    const { location } = response.headers;
    const isRedirect = response.status >= 300 && response.status <= 399 && location !== undefined;
    if (!isRedirect || message.body !== undefined) return response;
    // Once the body is read, the connection can be used again.
    await readBody(response.body);
    if (redirects === MAX_REDIRECTS) throw new Error(`${url.host} redirects in circles`);
    const target = new URL(location, url);
    const allowed = target.origin === url.origin ? headers : withoutCredentials(headers);
    return this.open(target, allowed, message, redirects + 1);
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  async #send(url: URL, headers: Headers, { method, body }: HttpMessage): Promise<HttpResponse<Readable>> {
    const secure = url.protocol === 'https:';
    const agent = secure ? this.#secure : this.#plain;
    const request = (secure ? https : http).request(url, { headers, agent, method: method ?? 'GET' });
    const timeout = body === undefined ? TIMEOUT_MS : UPLOAD_TIMEOUT_MS;
    request.setTimeout(timeout, () => {
      const silence = new Error(`${url.host} did not answer for ${timeout / 1000} s`);
      request.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
    });
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', reject);
      // A body that ends in an error was not sent whole, whatever the server makes of it.
      if (isReadable(body)) pipeline(body, request, (error) => error && reject(error));
      else request.end(body);
    });
    return { url, status: response.statusCode ?? 0, headers: response.headers, body: response };
  }
}

function isReadable(body: HttpMessage['body']): body is Readable {
  return body !== undefined && !Buffer.isBuffer(body);
}

/** All of a body that is small; a larger one is refused before it fills the memory. */
export async function readBody(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Error(`the answer is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withoutCredentials(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'));
}
