import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { parseReference } from '../../../components/registry/reference.ts';
import { textEntries, writeTar } from './tar.ts';

/** An image that consists of text files and labels. */
export interface TextImage {
  readonly files: ReadonlyMap<string, string>;
  readonly labels: Readonly<Record<string, string>>;
}

export interface PushOptions {
  /** The Authorization header. */
  readonly authorization?: string;
  /** PEM of the authority of a registry that serves TLS; without it, plain HTTP is used. */
  readonly ca?: string;
}

/** Pushes an image of one layer to a registry on loopback, and returns its digest. */
export async function pushImage(
  name: string,
  { files, labels }: TextImage,
  options: PushOptions = {},
): Promise<string> {
  const reference = parseReference(name);
  if (reference === undefined) throw new Error(`${name} is not canonical`);
  const base = `${options.ca === undefined ? 'http' : 'https'}://${reference.host}/v2/${reference.path}`;
  const tar = await writeTar(textEntries(files));
  const layer = gzipSync(tar);
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: { Labels: labels },
      rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
    }),
  );
  return pushManifest(base, reference.tag ?? '', config, [{ type: LAYER, content: layer }], options);
}

const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';

/** A layer of an image, or what else stands in its place. */
export interface PushedLayer {
  readonly type: string;
  readonly content: Buffer;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Pushes blobs and the manifest that names them to `http(s)://host/v2/path`, and returns its digest. */
export async function pushManifest(
  base: string,
  tag: string,
  config: Buffer,
  layers: readonly PushedLayer[],
  options: PushOptions = {},
): Promise<string> {
  for (const blob of [config, ...layers.map(({ content }) => content)]) await pushBlob(base, blob, options);
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
    layers: layers.map(({ type, content, annotations }) => ({ ...describe(type, content), annotations })),
  });
  const url = new URL(`${base}/manifests/${tag}`);
  await send(201, 'PUT', url, options, { type: mediaType, content: Buffer.from(manifest) });
  return digestOf(Buffer.from(manifest));
}

async function pushBlob(base: string, blob: Buffer, options: PushOptions): Promise<void> {
  const { location } = await send(202, 'POST', new URL(`${base}/blobs/uploads/`), options);
  const url = new URL(location ?? '', base);
  url.searchParams.set('digest', digestOf(blob));
  await send(201, 'PUT', url, options, { type: 'application/octet-stream', content: blob });
}

/** Sends a request and insists on a status; returns the headers of the answer. */
async function send(
  status: number,
  method: string,
  url: URL,
  { authorization, ca }: PushOptions,
  body?: { readonly type: string; readonly content: Buffer },
): Promise<http.IncomingHttpHeaders> {
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': body.type }),
  };
  const request = (url.protocol === 'https:' ? https : http).request(url, { method, headers, ca });
  request.end(body?.content);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  const answer = await text(response);
  if (response.statusCode !== status) throw new Error(`${url.href}: ${response.statusCode ?? 0} ${answer}`);
  return response.headers;
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
