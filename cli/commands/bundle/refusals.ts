import { readdir } from 'node:fs/promises';
import { RegistryError } from '../../../components/registry/registry-error.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';

/** Nothing is asked about an image that is named by its digest. */
export function refuseUnpushed(error: unknown): never {
  if (!(error instanceof RegistryError)) throw error;
  const remedy =
    'Push it first, as `fleet bundle push` does, or name it by digest, HOST/PATH@sha256:DIGEST, which asks no registry.';
  throw new ProblemsError(error.problems.map((problem) => ({ ...problem, path: '--controller-image', remedy })));
}

/** What a bundle's folder holds; anything else in it would be deleted. */
const OF_BUNDLE: readonly string[] = ['Dockerfile', 'manifests', 'metadata'];

export async function refuseStrangers(directory: string): Promise<void> {
  const entries = await readdir(directory).catch(() => []);
  const strangers = entries.filter((name) => !OF_BUNDLE.includes(name));
  if (strangers.length === 0) return;
  const message = `holds files that are not of a bundle, which would be deleted (${strangers.slice(0, 3).join(', ')})`;
  throw new ProblemsError([{ object: directory, path: '--directory', message, remedy: 'Name a folder of its own.' }]);
}
