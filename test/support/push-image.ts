import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parseReference } from '../../components/registry/reference.ts';
import { writeTar } from './tar.ts';

/** An image that consists of text files and labels. */
export interface TextImage {
  readonly files: ReadonlyMap<string, string>;
  readonly labels: Readonly<Record<string, string>>;
}

export interface PushOptions {
  /** The Authorization header. */
  readonly authorization?: string;
}

/** Pushes an image of one layer to a registry on loopback over plain HTTP, and returns its digest. */
export async function pushImage(
  name: string,
  { files, labels }: TextImage,
  options: PushOptions = {},
): Promise<string> {
  const reference = parseReference(name);
  if (reference === undefined) throw new Error(`${name} is not canonical`);
  const base = `http://${reference.host}/v2/${reference.path}`;
  const headers: Record<string, string> =
    options.authorization === undefined ? {} : { authorization: options.authorization };
  const tar = writeTar(files);
  const layer = gzipSync(tar);
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: { Labels: labels },
      rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
    }),
  );
  await pushBlob(base, layer, headers);
  await pushBlob(base, config, headers);
  const describe = (mediaType: string, blob: Buffer): object => ({
    mediaType,
    digest: digestOf(blob),
    size: blob.length,
  });
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType,
    config: describe('application/vnd.oci.image.config.v1+json', config),
    layers: [describe('application/vnd.oci.image.layer.v1.tar+gzip', layer)],
  });
  const url = `${base}/manifests/${reference.tag ?? ''}`;
  await expect(201, fetch(url, { method: 'PUT', body: manifest, headers: { ...headers, 'content-type': mediaType } }));
  return digestOf(Buffer.from(manifest));
}

async function pushBlob(base: string, blob: Buffer, headers: Record<string, string>): Promise<void> {
  const { headers: answer } = await expect(202, fetch(`${base}/blobs/uploads/`, { method: 'POST', headers }));
  const url = new URL(answer.get('location') ?? '', base);
  url.searchParams.set('digest', digestOf(blob));
  const upload = { ...headers, 'content-type': 'application/octet-stream' };
  await expect(201, fetch(url, { method: 'PUT', body: new Uint8Array(blob), headers: upload }));
}

async function expect(status: number, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  const body = await response.text();
  if (response.status !== status) throw new Error(`${response.url}: ${response.status} ${body}`);
  return response;
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
