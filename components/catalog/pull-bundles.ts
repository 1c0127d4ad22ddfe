import { ProblemsError } from '../../packages/lib/problem.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { type ImageFiles, pullFiles } from '../registry/image-files.ts';
import { parseReference, referenceProblems } from '../registry/reference.ts';
import type { RegistryClient } from '../registry/registry-client.ts';
import type { FbcBundle } from './fbc.ts';
import { bundleToFbc, PACKAGE_ANNOTATION } from './registry-v1.ts';

/** A bundle as it is in the registry now. */
export interface PulledBundle {
  readonly bundle: FbcBundle;
  readonly digest: string;
}

/** Enough to hide the latency of a registry, too little to be taken for an attack. */
const PARALLEL = 8;

/** Reads one bundle image; the catalog entry names the image as `name` does. */
export async function pullBundle(client: RegistryClient, name: string): Promise<PulledBundle> {
  const { digest, files } = await pullBundleFiles(client, name);
  return { bundle: bundleToFbc(name, files), digest };
}

/** The files of one bundle image. */
export async function pullBundleFiles(client: RegistryClient, name: string): Promise<ImageFiles> {
  const reference = parseReference(name);
  if (reference === undefined) throw new ProblemsError(referenceProblems(name, { path: '' }));
  const image = await pullFiles(client, reference, ['manifests/', 'metadata/']);
  if (image.labels[PACKAGE_ANNOTATION] === undefined) {
    const remedy = 'Name a bundle image, such as `fleet bundle push` makes.';
    const message = `is not a bundle image: it has no label ${PACKAGE_ANNOTATION}`;
    throw new ProblemsError([{ object: name, path: '', message, remedy }]);
  }
  return image;
}

/** Reads many bundle images; throws once, with the problems of all that cannot be read. */
export async function pullBundles(
  client: RegistryClient,
  names: readonly string[],
): Promise<Map<string, PulledBundle>> {
  const pulled = new Map<string, PulledBundle>();
  const problems: Problem[] = [];
  const waiting = names.values();
  const work = async (): Promise<void> => {
    for (const name of waiting) {
      try {
        pulled.set(name, await pullBundle(client, name));
      } catch (error) {
        if (!(error instanceof ProblemsError)) throw error;
        problems.push(...error.problems);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  if (problems.length > 0) throw new ProblemsError(problems);
  return pulled;
}
