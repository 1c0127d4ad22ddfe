import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { KeyPairPem } from '../../../components/certificates/certificate.ts';

/** A proxy that leads every connection to one port of this machine, no matter which host was requested. */
export interface Proxy {
  readonly port: number;
  /** `host:port` of every requested connection, with the credentials that the proxy got. */
  readonly asked: string[];
  stop(): void;
}

/** By CONNECT, over TLS where there is a certificate. */
export async function httpProxy(target: number, certificate?: KeyPairPem): Promise<Proxy> {
  const asked: string[] = [];
  const server = certificate === undefined ? http.createServer() : https.createServer(certificate);
  server.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    asked.push([request.url, request.headers['proxy-authorization']].filter((text) => text !== undefined).join(' '));
    join(client, target, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
  });
  return listening(server, asked);
}

/** The part of SOCKS 5 (RFC 1928) that a client without a password uses. */
export async function socksProxy(target: number): Promise<Proxy> {
  const asked: string[] = [];
  const server = net.createServer((client) => {
    client.once('data', () => {
      client.write(Buffer.from([5, 0]));
      client.once('data', (request) => {
        asked.push(socksAddress(request));
        join(client, target, () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
      });
    });
  });
  return listening(server, asked);
}

function socksAddress(request: Buffer): string {
  const isName = request[3] === 3;
  const start = isName ? 5 : 4;
  const end = start + (isName ? (request[4] ?? 0) : 4);
  const address = request.subarray(start, end);
  return `${isName ? address.toString('utf8') : [...address].join('.')}:${request.readUInt16BE(end)}`;
}

function join(client: net.Socket, target: number, ready: () => void): void {
  const upstream = net.connect(target, '127.0.0.1', () => {
    ready();
    client.pipe(upstream).pipe(client);
  });
  for (const socket of [client, upstream]) {
    socket.on('error', () => {
      client.destroy();
      upstream.destroy();
    });
  }
}

async function listening(server: net.Server, asked: string[]): Promise<Proxy> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    asked,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
