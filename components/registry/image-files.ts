import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { FileTree } from './file-tree.ts';
import { readBody } from './http.ts';
import { layerEntries } from './layer.ts';
import { formatReference, type ImageReference } from './reference.ts';
import type { Descriptor, Manifest, RegistryClient } from './registry-client.ts';
import { RegistryError } from './registry-error.ts';
import { UnpackBudget, type UnpackLimits } from './unpack-budget.ts';
import { UnpackError } from './unpack-error.ts';

/** The wanted parts of an image. */
export interface ImageFiles {
  /** Digest of the manifest or index that the name stands for: the one to pin. */
  readonly digest: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, string>;
}

/** Pulls an image and reads the text files under some folders, e.g. `manifests/`. */
export async function pullFiles(
  client: RegistryClient,
  reference: ImageReference,
  folders: readonly string[],
  limits?: UnpackLimits,
): Promise<ImageFiles> {
  try {
    const { digest, content } = await client.manifest(reference);
    const image = await imageManifest(client, reference, content);
    const config = image.config === undefined ? {} : await readConfig(client, reference, image.config);
    const tree = new FileTree(folders);
    const budget = new UnpackBudget(limits);
    // One after the other: a layer is not held, it is read as it arrives.
    for (const layer of image.layers ?? []) {
      budget.startLayer();
      await applyLayer(tree, client, reference, layer, budget);
    }
    return { digest, labels: config.config?.Labels ?? {}, files: tree.files() };
  } catch (error) {
    if (error instanceof ProblemsError) throw error;
    throw error instanceof UnpackError ? problemOf(reference, error) : RegistryError.of(reference, error);
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
  descriptor: Descriptor,
): Promise<{ config?: { Labels?: Record<string, string> } }> {
  const text = await readBody(await client.blob(reference, descriptor));
  return JSON.parse(text.toString('utf8')) as { config?: object };
}

async function applyLayer(
  tree: FileTree,
  client: RegistryClient,
  reference: ImageReference,
  layer: Descriptor,
  budget: UnpackBudget,
): Promise<void> {
  const blob = await client.blob(reference, layer);
  tree.startLayer();
  try {
    for await (const entry of layerEntries(blob, (path) => tree.isWanted(path), budget)) tree.apply(entry);
    tree.endLayer();
  } catch (error) {
    if (error instanceof ProblemsError || error instanceof UnpackError) throw error;
    throw new Error(`layer ${layer.digest} cannot be unpacked: ${messageOf(error)}`, { cause: error });
  }
}

function problemOf(reference: ImageReference, { path, message, remedy, value }: UnpackError): ProblemsError {
  const got = value === undefined ? {} : { value };
  return new ProblemsError([{ object: formatReference(reference), path, message, remedy, ...got }]);
}
