import { isDeepStrictEqual } from 'node:util';
import { isObject, objectAt, valueAt } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import type { Manifest, ManifestObject } from './manifest.ts';
import { olmFacts } from './versions.ts';

export const EXTENSION_CRD = 'clusterextensions.olm.operatorframework.io';

/** A CRD of extensions, of a cluster or of a manifest. */
export interface ExtensionDefinition {
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

/** The CRD of extensions that a manifest brings; a manifest of OLM has one. */
export function extensionDefinition(objects: readonly ManifestObject[]): ManifestObject | undefined {
  return objects.find(({ kind, metadata }) => kind === 'CustomResourceDefinition' && metadata.name === EXTENSION_CRD);
}

/** Whether every extension has to name the account that OLM installs it with; undefined where the CRD has no schema. */
export function requiresAccount(definition: ExtensionDefinition): boolean | undefined {
  const [schema] = schemasOf(definition);
  const spec = objectAt(schema, 'properties', 'spec');
  if (spec['properties'] === undefined) return undefined;
  const { required } = spec;
  return Array.isArray(required) && required.includes('serviceAccount');
}

/** Refuses a manifest of another release than the version, if extensions are written differently for it. */
export function checkManifestVersion({ objects, source }: Manifest, version: string): readonly Problem[] {
  const definition = extensionDefinition(objects);
  const required = definition === undefined ? undefined : requiresAccount(definition);
  const { minor, installsAs } = olmFacts(version);
  if (required === undefined || required === (installsAs === 'account')) return [];
  return [
    {
      object: source,
      path: 'version',
      value: version,
      message: `is not the version of this manifest: its extensions ${required ? 'must' : 'need not'} name a service account, those of ${minor} ${required ? 'need not' : 'must'}`,
      remedy: 'Take the version and the manifest of the same release.',
    },
  ];
}

/** Whether two CRDs admit the same extensions. Descriptions do not count, nor what a cluster adds to a CRD. */
export function isSameApi(one: ExtensionDefinition, other: ExtensionDefinition): boolean {
  return isDeepStrictEqual(schemasOf(one).map(withoutDescriptions), schemasOf(other).map(withoutDescriptions));
}

type Schema = Readonly<Record<string, unknown>>;

function schemasOf({ spec }: ExtensionDefinition): readonly Schema[] {
  const { versions } = objectAt(spec);
  if (!Array.isArray(versions)) return [];
  return versions
    .filter(isObject)
    .map(({ schema }) => valueAt(schema, 'openAPIV3Schema'))
    .filter(isObject);
}

/** A property may also be called `description`: then it is a schema, not a text. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => !(key === 'description' && typeof field === 'string'))
      .map(([key, field]) => [key, withoutDescriptions(field)]),
  );
}
