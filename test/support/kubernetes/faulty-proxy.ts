import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Connection } from '../../../packages/kube/connect/connection.ts';

/** What a fault does with a request: answer it, or let it pass. */
export type Fault = (request: ProxiedRequest) => 'pass' | { status: number; headers?: Record<string, string> };

export interface ProxiedRequest {
  readonly method: string;
  readonly url: string;
  readonly isWatch: boolean;
  readonly isWrite: boolean;
}

/** Stands between a client and the API server and breaks their connections as networks and servers do. */
export class FaultyProxy {
  readonly #server: http.Server;
  readonly #agent: https.Agent;
  readonly #upstream: Connection;
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<http.ServerResponse>();
  #fault: Fault = () => 'pass';
  #blackHole = false;
  #writesLeft = Infinity;
  writes = 0;

  private constructor(upstream: Connection) {
    this.#upstream = upstream;
    this.#agent = new https.Agent({ keepAlive: true, ca: upstream.ca, cert: upstream.cert, key: upstream.key });
    this.#server = http.createServer((request, response) => this.#handle(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(upstream: Connection): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(upstream);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get connection(): Connection {
    return { server: new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`) };
  }

  inject(fault: Fault): void {
    this.#fault = fault;
  }

  /** From now on connections stay open and nothing comes back, until it is lifted. */
  blackHole(on: boolean): void {
    this.#blackHole = on;
    for (const watch of this.#watches) {
      if (on) watch.cork();
      else watch.uncork();
    }
  }

  /** The watches that are open now stay open but deliver nothing more, as after a router has forgotten them. */
  silenceWatches(): void {
    for (const watch of this.#watches) watch.cork();
    this.#watches.clear();
  }

  closeWatches(): void {
    for (const watch of this.#watches) watch.destroy();
  }

  /** Lets this many more writes through. The answer of the last is lost, and then nothing passes any more. */
  dieAfterWrites(count: number): void {
    this.#writesLeft = count;
    this.writes = 0;
  }

  get dead(): boolean {
    return this.#writesLeft <= 0;
  }

  async stop(): Promise<void> {
    this.#cut();
    this.#agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(incoming: http.IncomingMessage, outgoing: http.ServerResponse): void {
    const { method = 'GET', url = '/' } = incoming;
    const isWatch = /[?&]watch=true/.test(url);
    // Renewals of the Lease do not count as writes of a reconciliation.
    const isWrite = method !== 'GET' && !url.includes('/leases/');
    if (this.dead) {
      incoming.socket.destroy();
      return;
    }
    if (this.#blackHole) return;
    const verdict = this.#fault({ method, url, isWatch, isWrite });
    if (verdict !== 'pass') {
      incoming.resume();
      const body = { kind: 'Status', code: verdict.status, reason: 'Injected', message: 'injected by the test' };
      outgoing.writeHead(verdict.status, { 'content-type': 'application/json', ...verdict.headers });
      outgoing.end(JSON.stringify(body));
      return;
    }
    this.#forward(incoming, outgoing, isWatch, isWrite);
  }

  #forward(incoming: http.IncomingMessage, outgoing: http.ServerResponse, isWatch: boolean, isWrite: boolean): void {
    if (isWrite) this.writes += 1;
    const last = isWrite && this.writes >= this.#writesLeft;
    const { method, url, headers } = incoming;
    const upstream = https.request(new URL(url ?? '/', this.#upstream.server), { method, headers, agent: this.#agent });
    upstream.on('error', () => outgoing.destroy());
    upstream.on('response', (response) => {
      if (last) {
        this.#writesLeft = 0;
        this.#cut();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
      response.on('close', () => {
        if (!response.complete) outgoing.destroy();
      });
    });
    if (isWatch) {
      this.#watches.add(outgoing);
      outgoing.on('close', () => {
        this.#watches.delete(outgoing);
        upstream.destroy();
      });
    }
    incoming.pipe(upstream);
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
