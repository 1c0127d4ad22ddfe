import { ProblemsError } from '../../packages/lib/problem.ts';
import { isCsv, readProperty, type FbcBundle, type Property, type RelatedImage } from './fbc.ts';
import { goJson } from './go-json.ts';
import { readFirstDocument } from './go-yaml.ts';
import { isObject, listAt, objectAt, objectsAt, textAt, type JsonObject } from '../../packages/lib/json.ts';
import { bundleProperties } from './registry-v1-properties.ts';

/** The files of a registry+v1 bundle by path, e.g. `manifests/csv.yaml` and `metadata/annotations.yaml`. */
export type BundleFiles = ReadonlyMap<string, string>;

/** A bundle's files, read: what its catalog entry is computed from. */
export interface RegistryV1 {
  readonly image: string;
  readonly packageName: string;
  readonly csv: JsonObject;
  readonly objects: readonly JsonObject[];
  /** `metadata/properties.yaml` and `metadata/dependencies.yaml`, both optional. */
  readonly properties: readonly Property[];
  readonly dependencies: readonly Property[];
}

/** The package of a bundle: a label of its image, and an annotation inside it. */
export const PACKAGE_ANNOTATION = 'operators.operatorframework.io.bundle.package.v1';

/** The catalog entry of the bundle whose image has these files. */
export function bundleToFbc(image: string, files: BundleFiles): FbcBundle {
  const bundle = readRegistryV1(image, files);
  const objects = bundle.objects.map((object) => ({
    type: 'olm.bundle.object',
    value: { data: Buffer.from(goJson(object)).toString('base64') },
  }));
  return {
    schema: 'olm.bundle',
    name: objectName(bundle.csv),
    package: bundle.packageName,
    image,
    properties: [...bundleProperties(bundle), ...objects.sort(byData)],
    relatedImages: relatedImages(bundle),
  };
}

/** Reads a bundle's files; throws when they are not a bundle. */
export function readRegistryV1(image: string, files: BundleFiles): RegistryV1 {
  const objects = documents(files, 'manifests/').filter((object) => typeof object.kind === 'string');
  const csvs = objects.filter(isCsv);
  const metadata = documents(files, 'metadata/');
  const annotations = metadata.map((document) => document.annotations).find((value) => isObject(value));
  const packageName = annotations?.[PACKAGE_ANNOTATION];
  const [csv, ...more] = csvs;
  if (csv === undefined || more.length > 0) {
    return notABundle(image, `has ${csvs.length} ClusterServiceVersions in /manifests instead of one`);
  }
  if (typeof packageName !== 'string') {
    return notABundle(image, `names no package in /metadata/annotations.yaml (${PACKAGE_ANNOTATION})`);
  }
  return {
    image,
    packageName,
    csv,
    objects,
    properties: typedList(metadata, 'properties'),
    dependencies: typedList(metadata, 'dependencies'),
  };
}

/** Images named in the CSV, those that its Deployments run, and the bundle itself: what a mirror has to copy. */
function relatedImages({ csv, image }: RegistryV1): RelatedImage[] {
  const spec = objectAt(csv, 'spec');
  const stated = objectsAt(spec, 'relatedImages').map((entry) => ({
    name: textAt(entry, 'name'),
    image: textAt(entry, 'image'),
  }));
  const install = objectAt(spec, 'install');
  const deployments = install.strategy === 'deployment' ? listAt(install, 'spec', 'deployments') : [];
  const run = deployments.flatMap((deployment) => {
    const pod = objectAt(deployment, 'spec', 'template', 'spec');
    return [...listAt(pod, 'containers'), ...listAt(pod, 'initContainers')].map((container) =>
      textAt(container, 'image'),
    );
  });
  const known = new Set(stated.map((entry) => entry.image));
  const added = [...new Set([image, ...run])]
    .filter((name) => !known.has(name))
    .map((name) => ({ name: '', image: name }));
  return [...stated, ...added].sort((a, b) => (a.image < b.image ? -1 : a.image > b.image ? 1 : 0));
}

function documents(files: BundleFiles, folder: string): JsonObject[] {
  return [...files]
    .filter(([path]) => path.startsWith(folder) && !path.slice(folder.length).includes('/'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => readFirstDocument(text, path))
    .filter((document) => isObject(document));
}

function typedList(metadata: readonly JsonObject[], key: string): Property[] {
  const document = metadata.find((candidate) => listAt(candidate, key).length > 0);
  return objectsAt(document, key).map(readProperty);
}

function notABundle(image: string, message: string): never {
  const remedy = 'Build the image from a bundle directory, e.g. with `fleet bundle push`.';
  throw new ProblemsError([{ object: image, path: '', message, remedy }]);
}

function objectName(object: JsonObject): string {
  return textAt(object, 'metadata', 'name');
}

function byData(a: { value: { data: string } }, b: { value: { data: string } }): number {
  return a.value.data < b.value.data ? -1 : 1;
}
