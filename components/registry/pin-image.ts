import { ProblemsError } from '../../packages/lib/problem.ts';
import { byDigest, parseReference, referenceProblems } from './reference.ts';
import type { RegistryClient } from './registry-client.ts';

/** `repository@digest` of what a name stands for now; a name that has a digest is not looked up. */
export async function pinImage(client: RegistryClient, name: string): Promise<string> {
  const reference = parseReference(name);
  if (reference === undefined) throw new ProblemsError(referenceProblems(name, { path: 'image' }));
  return byDigest(reference, reference.digest ?? (await client.manifest(reference)).digest);
}
