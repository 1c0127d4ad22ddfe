import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import type { StandInEngine } from './stand-in-engine.ts';

/** A Service: each connection goes to one of its pods, in turn, and stays there. */
export class StandInService {
  /** Those that get the next connections. */
  pods: readonly StandInEngine[];
  readonly #server: Server;
  #connections = 0;

  private constructor(pods: readonly StandInEngine[]) {
    this.pods = pods;
    this.#server = createServer((client) => {
      this.#connections += 1;
      const pod = this.pods[this.#connections % this.pods.length];
      const { hostname, port } = new URL(pod?.address ?? '');
      const upstream = connect(Number(port), hostname);
      client.pipe(upstream).pipe(client);
      // What happens to one end happens to the other.
      client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    });
  }

  static async start(pods: readonly StandInEngine[]): Promise<StandInService> {
    const service = new StandInService(pods);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** To be called when nobody is connected any more. */
  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
