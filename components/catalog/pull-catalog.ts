import { PACKAGE } from '../../packages/api/operator-names.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { pullFiles } from '../registry/image-files.ts';
import { parseReference, referenceProblems } from '../registry/reference.ts';
import type { RegistryClient } from '../registry/registry-client.ts';
import type { Catalog } from './fbc.ts';
import { readCatalog } from './read-catalog.ts';

/** Reads what a catalog image offers of our package. */
export async function pullCatalog(client: RegistryClient, image: string): Promise<Catalog> {
  const reference = parseReference(image);
  if (reference === undefined) throw new ProblemsError(referenceProblems(image, { path: 'image' }));
  const { files } = await pullFiles(client, reference, ['configs/']);
  return readCatalog([...files.values()], PACKAGE, image);
}
