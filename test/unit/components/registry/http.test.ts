import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { issueCa, issueLeaf } from '../../../../components/certificates/certificate.ts';
import { HttpClient } from '../../../../components/registry/http.ts';

/** The first byte of a TLS connection. */
const HANDSHAKE = 0x16;

/** Redirects from https to http of the same host and port: by default ports a URL does not show that they differ. */
async function startDowngrade(seen: (string | undefined)[]): Promise<{ host: string; ca: string; stop: () => void }> {
  const ca = await issueCa({ commonName: 'test', days: 1 });
  const leaf = await issueLeaf(ca, { commonName: 'host', ipAddresses: ['127.0.0.1'], usages: ['server'], days: 1 });
  const plain = http.createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('blob');
  });
  const secure = https.createServer(leaf, (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(307, { location: `http://${request.headers.host ?? ''}/blob` }).end();
  });
  const sockets = new Set<net.Socket>();
  const front = net.createServer((socket) => {
    sockets.add(socket);
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) return void socket.destroy();
      socket.unshift(first);
      (first[0] === HANDSHAKE ? secure : plain).emit('connection', socket);
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    for (const socket of sockets) socket.destroy();
    front.close();
  };
  return { host: `127.0.0.1:${(front.address() as net.AddressInfo).port}`, ca: ca.cert, stop };
}

describe('the HTTP client of registries', () => {
  it('takes no credentials from https to http, not even of the same host', async () => {
    const seen: (string | undefined)[] = [];
    const { host, ca, stop } = await startDowngrade(seen);
    const client = new HttpClient({ ca });
    try {
      const response = await client.get(new URL(`https://${host}/blob`), { authorization: 'Basic secret' });
      assert.equal(response.body.toString(), 'blob');
      assert.deepEqual(seen, ['Basic secret', undefined]);
    } finally {
      client.close();
      stop();
    }
  });
});
