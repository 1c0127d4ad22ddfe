import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Stands before a server on loopback, and lets only so many bytes through, in each direction. */
export class StallingProxy {
  /** Bytes that still pass. */
  allowed = Infinity;
  /** `127.0.0.1:<port>`. */
  host = '';
  #stalled: () => void = () => undefined;
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  readonly #server = createServer((client) => {
    const server = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (chunk: Buffer) => {
        this.allowed -= chunk.length;
        if (this.allowed < 0) {
          from.pause();
          this.#stalled();
        } else if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      });
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });

  private constructor(target: number) {
    this.#target = target;
  }

  static async start(target: string): Promise<StallingProxy> {
    const proxy = new StallingProxy(Number(target.split(':')[1]));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.host = `127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** Lets a number of bytes through, and is done when one more comes. */
  stallAfter(bytes: number): Promise<void> {
    this.allowed = bytes;
    return new Promise((resolve) => (this.#stalled = resolve));
  }

  /** Ends what hangs, and lets everything through. */
  recover(): void {
    this.allowed = Infinity;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async stop(): Promise<void> {
    this.recover();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }
}
