import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import type { Definition } from './crd-compatibility.ts';

const REMEDY =
  'Serve one schema in all versions: new fields go into all of them, and a version is a promise, not a shape.';

/**
 * Served versions that know other fields than the stored one. Without conversion the API server cuts an object to the schema of the
 * version that it is written through, so a write through one would erase what only the other knows.
 */
export function differingVersions({ metadata, spec }: Definition): Problem[] {
  if ((spec.conversion?.strategy ?? 'None') !== 'None') return [];
  const storage = spec.versions.find((version) => version.storage);
  const expected = withoutWords(storage?.schema?.openAPIV3Schema);
  return spec.versions
    .filter(({ served, schema }) => served && !isDeepStrictEqual(withoutWords(schema?.openAPIV3Schema), expected))
    .map(({ name }) => ({
      object: `CustomResourceDefinition ${metadata.name ?? ''}`,
      path: `spec.versions[${name}].schema`,
      message: `is another one than that of ${storage?.name ?? 'no stored version'}, so a write through one would erase what only the other has`,
      remedy: REMEDY,
    }));
}

/** Descriptions may differ. A field that has this name is an object of its own, and stays. */
function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutWords(value)]));
}
