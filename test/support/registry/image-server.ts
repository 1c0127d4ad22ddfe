import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { KeyPairPem } from '../../../components/certificates/certificate.ts';
import type { ImageReference } from '../../../components/registry/reference.ts';

/** A layer's bytes, generated each time, for layers that are too large to keep in memory. */
export type Layer = Buffer | (() => Iterable<Buffer>);

/** A registry on loopback that has one image, made of these layers. With a certificate it serves TLS. */
export async function withImage(
  layers: readonly Layer[],
  test: (reference: ImageReference) => Promise<void>,
  labels: Readonly<Record<string, string>> = { title: 'test' },
  certificate?: KeyPairPem,
): Promise<void> {
  const config = Buffer.from(JSON.stringify({ config: { Labels: labels } }));
  const described = [config, ...layers].map((blob) => ({ blob, ...describeBlob(blob) }));
  const [configuration, ...rest] = described.map(({ digest, size }) => ({ digest, size }));
  const manifest = JSON.stringify({ config: configuration, layers: rest });
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const wanted = request.url?.split('/').at(-1) ?? '';
    const found = described.find(({ digest }) => digest === wanted)?.blob ?? Buffer.from(manifest);
    Readable.from(chunksOf(found)).pipe(response);
  };
  const server = certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await test({ host: `127.0.0.1:${(server.address() as AddressInfo).port}`, path: 'team/image', tag: '1' });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function describeBlob(blob: Layer): { digest: string; size: number } {
  const hash = createHash('sha256');
  let size = 0;
  for (const chunk of chunksOf(blob)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

function chunksOf(layer: Layer): Iterable<Buffer> {
  return Buffer.isBuffer(layer) ? [layer] : layer();
}
