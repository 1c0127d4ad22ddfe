import { ProblemsError } from '../../packages/lib/problem.ts';
import { readProperty, type Property } from './fbc.ts';
import { goJson } from './go-json.ts';
import { listAt, objectAt, objectsAt, textAt, type Json, type JsonObject } from '../../packages/lib/json.ts';
import type { RegistryV1 } from './registry-v1.ts';

interface GroupVersionKind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** Everything that a bundle states about itself in the catalog, apart from its objects. */
export function bundleProperties(bundle: RegistryV1): Property[] {
  refuseReleases(bundle);
  const stated = [...bundle.properties, ...annotatedProperties(bundle.csv)];
  const provided = [...providedApis(bundle), ...gvks(stated)];
  const required = [...requiredApis(bundle.csv), ...gvks(bundle.dependencies)];
  const version = textAt(bundle.csv, 'spec', 'version');
  const properties: Property[] = [
    stated.find(({ type }) => type === 'olm.package') ?? packageOf(bundle.packageName, version),
    ...unique(provided).map((value) => ({ type: 'olm.gvk', value: { ...value } })),
    ...unique(required).map((value) => ({ type: 'olm.gvk.required', value: { ...value } })),
    ...bundle.dependencies.filter(({ type }) => type === 'olm.package').map(requiredPackage),
    ...[...stated, ...bundle.dependencies].filter(({ type }) => type !== 'olm.package' && type !== 'olm.gvk'),
  ];
  return [...new Map(properties.map((property) => [sortKey(property), property])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, property]) => property);
}

/** Refuses releases of one version: they are newer than semver templates, which cannot order them. */
function refuseReleases({ csv, image }: RegistryV1): void {
  const substitutes = objectAt(csv, 'metadata', 'annotations')['olm.substitutesFor'];
  const release = objectAt(csv, 'spec').release;
  if (substitutes === undefined && release === undefined) return;
  const path = release === undefined ? 'metadata.annotations[olm.substitutesFor]' : 'spec.release';
  const remedy = 'Release a new patch version instead.';
  const message = 'a semver catalog cannot order releases of one version';
  throw new ProblemsError([{ object: image, path, value: release ?? substitutes, message, remedy }]);
}

function packageOf(packageName: string, version: string): Property {
  return { type: 'olm.package', value: { packageName, version } };
}

function requiredPackage({ value }: Property): Property {
  return {
    type: 'olm.package.required',
    value: { packageName: textAt(value, 'packageName'), versionRange: textAt(value, 'version') },
  };
}

/** The CSV annotation `olm.properties` holds a JSON list. */
function annotatedProperties(csv: JsonObject): Property[] {
  const text = textAt(csv, 'metadata', 'annotations', 'olm.properties');
  if (text === '') return [];
  return objectsAt(JSON.parse(text) as Json).map(readProperty);
}

function providedApis({ objects, csv }: RegistryV1): GroupVersionKind[] {
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map((crd) => objectAt(crd, 'spec'));
  const fromCrds = crds.flatMap((spec) => {
    const versions = listAt(spec, 'versions').map((version) => textAt(version, 'name'));
    const single = textAt(spec, 'version');
    return [...versions, ...(single === '' ? [] : [single])].map((version) => ({
      group: textAt(spec, 'group'),
      kind: textAt(spec, 'names', 'kind'),
      version,
    }));
  });
  return [...fromCrds, ...apis(csv, 'apiservicedefinitions', 'owned').map(readGvk)];
}

function requiredApis(csv: JsonObject): GroupVersionKind[] {
  const crds = apis(csv, 'customresourcedefinitions', 'required').map((crd) => {
    const name = textAt(crd, 'name');
    return { ...readGvk(crd), group: name.slice(name.indexOf('.') + 1) };
  });
  return [...crds, ...apis(csv, 'apiservicedefinitions', 'required').map(readGvk)];
}

function apis(csv: JsonObject, section: string, list: string): readonly Json[] {
  return listAt(csv, 'spec', section, list);
}

function gvks(properties: readonly Property[]): GroupVersionKind[] {
  return properties.filter(({ type }) => type === 'olm.gvk').map(({ value }) => readGvk(value));
}

function readGvk(value: Json): GroupVersionKind {
  return { group: textAt(value, 'group'), kind: textAt(value, 'kind'), version: textAt(value, 'version') };
}

function unique(list: readonly GroupVersionKind[]): GroupVersionKind[] {
  return [...new Map(list.map((item) => [`${item.group}/${item.version}/${item.kind}`, item])).values()];
}

/** Properties are ordered by type, then by their value's JSON; the separator sorts before every character of a type. */
function sortKey({ type, value }: Property): string {
  return `${type}\u0000${goJson(value)}`;
}
