import type { Problem } from '../../packages/lib/problem.ts';
import { parseReference } from '../registry/reference.ts';
import type { RegistryClient } from '../registry/registry-client.ts';
import { retaggedProblem } from './append-only.ts';
import type { CatalogLock } from './lock.ts';

/** Released versions whose tag has since moved to another digest. Throws if a tag is gone. */
export async function retaggedProblems(client: RegistryClient, lock: CatalogLock, file: string): Promise<Problem[]> {
  const found = await Promise.all(
    lock.versions.map(async (locked) => {
      const reference = parseReference(locked.image);
      // A reference by digest always gives the same content.
      if (reference === undefined || reference.digest !== undefined) return [];
      const { digest } = await client.manifest(reference);
      return digest === locked.digest ? [] : [retaggedProblem(locked, digest, file)];
    }),
  );
  return found.flat();
}
