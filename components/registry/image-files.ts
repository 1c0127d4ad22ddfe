import zlib from 'node:zlib';
import { messageOf } from '../../controller/src/error.ts';
import { ProblemsError } from '../../controller/src/problem.ts';
import type { ImageReference } from './reference.ts';
import type { Descriptor, Manifest, RegistryClient } from './registry-client.ts';
import { RegistryError } from './registry-error.ts';
import { readTar } from './tar.ts';

/** What an image consists of, as far as it was asked for. */
export interface ImageFiles {
  /** Of the manifest or index that the name stands for: what to pin. */
  readonly digest: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, string>;
}

/** Catalogs and bundles are text of at most a few megabytes; more is a mistake, or an attack on memory. */
const MAX_LAYER_BYTES = 256 * 1024 * 1024;

/** Pulls an image and reads the text files under some folders, e.g. `manifests/`. */
export async function pullFiles(
  client: RegistryClient,
  reference: ImageReference,
  folders: readonly string[],
): Promise<ImageFiles> {
  try {
    const { digest, content } = await client.manifest(reference);
    const image = await imageManifest(client, reference, content);
    const config = image.config === undefined ? {} : await readConfig(client, reference, image.config);
    const layers = await Promise.all((image.layers ?? []).map(({ digest: blob }) => client.blob(reference, blob)));
    return { digest, labels: config.config?.Labels ?? {}, files: mergeLayers(layers, folders) };
  } catch (error) {
    if (error instanceof ProblemsError) throw error;
    throw new RegistryError(reference, messageOf(error));
  }
}

/** An index stands for images of several platforms; text is the same in all, so any real image of it will do. */
async function imageManifest(client: RegistryClient, reference: ImageReference, content: Manifest): Promise<Manifest> {
  if (content.manifests === undefined) return content;
  const image = content.manifests.find(({ platform }) => platform?.os === 'linux') ?? content.manifests[0];
  if (image === undefined) throw new RegistryError(reference, 'its index is empty');
  return (await client.manifest({ ...reference, digest: image.digest })).content;
}

async function readConfig(
  client: RegistryClient,
  reference: ImageReference,
  { digest }: Descriptor,
): Promise<{ config?: { Labels?: Record<string, string> } }> {
  return JSON.parse((await client.blob(reference, digest)).toString('utf8')) as { config?: object };
}

/** Later layers replace files of earlier ones, and remove those that they white out. */
function mergeLayers(layers: readonly Buffer[], folders: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const { path, content } of layers.flatMap((layer) => readTar(unpack(layer)))) {
    if (!folders.some((folder) => path.startsWith(folder))) continue;
    const slash = path.lastIndexOf('/') + 1;
    const name = path.slice(slash);
    if (name === '.wh..wh..opq')
      for (const known of files.keys()) if (known.startsWith(path.slice(0, slash))) files.delete(known);
    if (name.startsWith('.wh.')) files.delete(path.slice(0, slash) + name.slice('.wh.'.length));
    else files.set(path, content.toString('utf8'));
  }
  return files;
}

function unpack(layer: Buffer): Buffer {
  const limit = { maxOutputLength: MAX_LAYER_BYTES };
  if (layer[0] === 0x1f && layer[1] === 0x8b) return zlib.gunzipSync(layer, limit);
  if (layer.readUInt32LE(0) === 0xfd2fb528) return zlib.zstdDecompressSync(layer, limit);
  return layer;
}
