import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { ApiError } from './api-error.ts';
import { isLarge, parseObject } from './bounded-json.ts';
import type { Connection, Credential } from '../connect/connection.ts';
import { requestBody } from './request-body.ts';
import { turns } from '../../lib/turns.ts';
import { definedOnly } from '../../lib/values.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called each time that the request is about to be sent, also when it is repeated: it may abort the signal. */
  readonly before?: (() => void) | undefined;
  /** Reads a successful answer; without it, JSON or text is read. */
  readonly read?: ((response: http.IncomingMessage) => Promise<unknown>) | undefined;
}

export interface TransportOptions {
  /** Connections for requests other than watches; also the number of requests in flight. */
  readonly maxConnections?: number | undefined;
  /** A request whose answer is silent for longer is given up. */
  readonly requestTimeoutMs?: number | undefined;
  /** Who we are in the API server's audit log. */
  readonly userAgent?: string | undefined;
  /** Called once per answered or failed request; the code is `<error>` when there was no answer. */
  readonly observe?: ((request: HttpRequest, code: string, seconds: number) => void) | undefined;
}

/** How often a Retry-After is followed, as in client-go. */
const MAX_RETRY_AFTER = 10;

/** The API server gives up on a request of its own after 60 s. */
const REQUEST_TIMEOUT_MS = 60_000;

/** HTTP to one API server over connections that are kept open. */
export class Transport {
  readonly #connection: Connection;
  readonly #options: TransportOptions;
  readonly #agent: http.Agent;
  /** A watch holds its connection for minutes: it must not take one from the requests' pool. */
  readonly #watchAgent: http.Agent;

  constructor(connection: Connection, options: TransportOptions = {}) {
    this.#connection = connection;
    this.#options = options;
    this.#agent = newAgent(connection, options.maxConnections ?? 32);
    this.#watchAgent = newAgent(connection, Infinity);
  }

  /** Sends a request and parses the answer; anything but a 2xx is an ApiError. */
  async json(request: HttpRequest): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#once(request);
      } catch (error) {
        const after = retryDelay(error, request, attempt);
        if (after === undefined) throw error;
        await setTimeout(after * 1000, undefined, { signal: request.signal });
      }
    }
  }

  /** Opens a stream: resolves when the headers of a 200 are there; fails when the server is silent for `idleMs`. */
  async stream(request: HttpRequest, idleMs: number): Promise<http.IncomingMessage> {
    const response = await this.#send(request, this.#watchAgent, idleMs);
    if (response.statusCode === 200) return response;
    throw apiError(request, response, await readBody(response));
  }

  /** Closes idle connections; those in use end with their requests. */
  close(): void {
    this.#agent.destroy();
    this.#watchAgent.destroy();
  }

  async #once(request: HttpRequest): Promise<unknown> {
    const response = await this.#send(request, this.#agent, this.#options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw apiError(request, response, await readBody(response));
    return (request.read ?? readBody)(response);
  }

  async #send(request: HttpRequest, agent: http.Agent, idleMs: number): Promise<http.IncomingMessage> {
    const started = performance.now();
    const done = (code: string): void => this.#options.observe?.(request, code, (performance.now() - started) / 1000);
    try {
      const { token, cert, key } = (await this.#credential(request)) ?? {};
      // Agents read their options with every connection that they open. All have them, though http.Agent's type does not say so.
      if (cert !== undefined) Object.assign((agent as https.Agent).options, { cert, key });
      const headers = this.#headers(request, token);
      const response = await exchange(this.#connection, request, headers, { agent, idleMs });
      done(String(response.statusCode));
      return response;
    } catch (error) {
      done('<error>');
      throw error;
    }
  }

  /** The source of credentials may hang, and a renewal of the Lease must not hang with it. */
  #credential(request: HttpRequest): Promise<Credential> | undefined {
    const credential = this.#connection.credential?.();
    if (credential === undefined || request.signal === undefined) return credential;
    return new Promise((resolve, reject) => {
      const forget = onAbort(request.signal, () => reject(aborted(request)));
      credential.then(resolve, reject).finally(forget);
    });
  }

  #headers(request: HttpRequest, token: string | undefined): http.OutgoingHttpHeaders {
    const { userAgent } = this.#options;
    return {
      ...this.#connection.headers,
      accept: 'application/json',
      // The connection may have its own way of saying who we are.
      ...definedOnly({
        'user-agent': userAgent,
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        'content-type': request.body === undefined ? undefined : (request.contentType ?? 'application/json'),
      }),
    };
  }
}

function newAgent(connection: Connection, maxSockets: number): http.Agent {
  const plain = { keepAlive: true, keepAliveMsecs: 15_000, maxSockets, scheduling: 'lifo' as const };
  const options = {
    ...plain,
    ca: connection.ca,
    cert: connection.cert,
    key: connection.key,
    servername: connection.serverName,
    rejectUnauthorized: connection.insecureSkipTlsVerify !== true,
  };
  const direct = (): http.Agent =>
    connection.server.protocol === 'http:' ? new http.Agent(plain) : new https.Agent(options);
  const agent = connection.proxyAgent?.(options) ?? direct();
  // All its connections are alike. Node would make up a name from certificates and keys, kilobytes long, for every request.
  agent.getName = () => connection.server.host;
  return agent;
}

function exchange(
  connection: Connection,
  request: HttpRequest,
  headers: http.OutgoingHttpHeaders,
  options: { agent: http.Agent; idleMs: number },
): Promise<http.IncomingMessage> {
  const { method, body, signal } = request;
  request.before?.();
  const { agent, idleMs } = options;
  const text = body === undefined ? undefined : requestBody(body);
  const { protocol, hostname, port, pathname } = connection.server;
  const module = protocol === 'http:' ? http : https;
  const path = joinPath(pathname, request.path);
  const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path };
  return new Promise((resolve, reject) => {
    let incoming: http.IncomingMessage | undefined;
    const outgoing = module.request({ ...target, method, agent, headers }, (response) => {
      incoming = response;
      resolve(response);
    });
    const giveUp = (error: Error): void => {
      (incoming ?? outgoing).destroy(error);
      // A request that still waits for a connection emits no event when it is destroyed.
      reject(error);
    };
    const forget = onAbort(signal, () => giveUp(aborted(request)));
    outgoing.on('close', forget);
    outgoing.setTimeout(idleMs, () => giveUp(new Error(`${method} ${request.path}: no answer for ${idleMs} ms`)));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection just when it is taken for a new request. Such a request was never
      // processed, and those that are repeated here do no harm twice.
      const stale = outgoing.reusedSocket && error.code === 'ECONNRESET' && method !== 'POST';
      if (stale && incoming === undefined) exchange(connection, request, headers, options).then(resolve, reject);
      else reject(error);
    });
    if (text === undefined) outgoing.end();
    // Node sends no length with the body of a DELETE by itself, and the body would be read as the next request.
    else outgoing.setHeader('content-length', Buffer.byteLength(text)).end(text);
  });
}

function aborted({ method, path, signal }: HttpRequest): Error {
  return new Error(`${method} ${path}: aborted`, { cause: signal?.reason });
}

interface Aborting {
  readonly acts: Set<() => void>;
  readonly listener: () => void;
}

/** What to do when a signal is aborted, for signals that have something to do. */
const aborting = new WeakMap<AbortSignal, Aborting>();

/**
 * Calls `act` when the signal is aborted, unless the returned function was called before. A signal has one listener, however many
 * requests it can end: Node itself would add two for each, which takes longer than sending the request. The listener is removed
 * with the last request, because Node keeps a signal that is made of others for as long as somebody listens.
 */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) act();
  const { acts, listener } = aborting.get(signal) ?? listenTo(signal);
  acts.add(act);
  return () => {
    if (!acts.delete(act) || acts.size > 0) return;
    signal.removeEventListener('abort', listener);
    aborting.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Aborting {
  const acts = new Set<() => void>();
  const listener = (): void => [...acts].forEach((act) => act());
  signal.addEventListener('abort', listener, { once: true });
  aborting.set(signal, { acts, listener });
  return { acts, listener };
}

/** A server's address may have a path of its own, as behind a management proxy. */
function joinPath(base: string, path: string): string {
  return base.endsWith('/') ? `${base.slice(0, -1)}${path}` : `${base}${path}`;
}

async function readBody(response: http.IncomingMessage): Promise<unknown> {
  const text = (await readAll(response)).toString('utf8');
  // Not application/jsonl, which catalogd serves.
  const json = /^application\/json(?:;|$)/.test(response.headers['content-type'] ?? '');
  return json ? (JSON.parse(text) as unknown) : text;
}

/** Reads the answer to a request about one object. */
export async function readObject(response: http.IncomingMessage): Promise<unknown> {
  const document = await readAll(response);
  if (!isLarge(document)) return parseObject(document);
  // Reading takes one turn, and handling the result another.
  const turn = turns.begin();
  await turn.yieldIfDue();
  const object = parseObject(document);
  await turn.yieldIfDue();
  return object;
}

/** Uses events, because this runs for every answer and an async iterator costs more than the reading. */
function readAll(response: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    response.on('error', reject);
    // After a complete answer this comes too late to matter.
    response.on('close', () => reject(new Error('the connection was closed before the answer was complete')));
  });
}

function apiError(request: HttpRequest, response: http.IncomingMessage, body: unknown): ApiError {
  return new ApiError(
    `${request.method} ${request.path}`,
    response.statusCode ?? 0,
    body,
    response.headers['retry-after'],
  );
}

function retryDelay(error: unknown, request: HttpRequest, attempt: number): number | undefined {
  const retriable =
    error instanceof ApiError && (error.status === 429 || (error.status >= 500 && request.method !== 'POST'));
  return retriable && attempt < MAX_RETRY_AFTER ? error.retryAfterSeconds : undefined;
}
