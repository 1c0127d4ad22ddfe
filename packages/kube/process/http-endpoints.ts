import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** The reasons for a `no`, by name; an empty record means `yes`. */
export type Check = () => Readonly<Record<string, string>>;

/** A small HTTP server that can be started and stopped. */
export class Endpoint {
  readonly #server: Server;

  constructor(listener: RequestListener) {
    this.#server = createServer(listener);
  }

  /** Listens on all addresses, since the kubelet and Prometheus come from outside the pod; returns the port. */
  async listen(port: number, host?: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** `/healthz`: the kubelet restarts the container if it fails. `/readyz`: others rely on the pod only while it succeeds. */
export function healthEndpoint(checks: { healthz: Check; readyz: Check }): Endpoint {
  return new Endpoint((request, response) => {
    const check = { '/healthz': checks.healthz, '/readyz': checks.readyz }[request.url ?? ''];
    if (check === undefined) {
      response.writeHead(404).end();
      return;
    }
    const problems = Object.entries(check()).map(([name, problem]) => `${name}: ${problem}\n`);
    response.writeHead(problems.length === 0 ? 200 : 503, { 'content-type': 'text/plain' });
    response.end(problems.length === 0 ? 'ok\n' : problems.join(''));
  });
}

export function metricsEndpoint(registry: Registry): Endpoint {
  return new Endpoint((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void registry.metrics().then((text) => {
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    });
  });
}
