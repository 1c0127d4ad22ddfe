import { PACKAGE } from '../../packages/api/operator-names.ts';
import { isObject, textAt } from '../../packages/lib/json.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';
import { isCsv } from '../catalog/fbc.ts';
import { readFirstDocument } from '../catalog/go-yaml.ts';
import type { BundleFiles } from '../catalog/registry-v1.ts';

/** Where a repository of community operators keeps this package. */
export const COMMUNITY_FOLDER = `operators/${PACKAGE}`;

/** How such a repository orders the versions of a package: bundles of ours name no version that they replace. */
export const COMMUNITY_SETTINGS = writeYaml({ updateGraph: 'semver-mode' });

const OPENSHIFT_VERSIONS = 'com.redhat.openshift.versions';

/**
 * A bundle's files as a repository of community operators keeps them. Manifests are what was released. The annotations gain the versions of
 * OpenShift that its pipeline builds catalogs for, since it does not derive them from `minKubeVersion`.
 */
export function communityFiles(files: BundleFiles): ReadonlyMap<string, string> {
  const kept = [...files].filter(([path]) => /^(?:manifests|metadata)\//.test(path));
  return new Map(
    kept.map(([path, text]) =>
      path === 'metadata/annotations.yaml' ? [path, withOpenShift(text, path, openShiftVersion(files))] : [path, text],
    ),
  );
}

/** OpenShift 4.17 is built on Kubernetes 1.30, and each minor on the next one. */
const OPENSHIFT_BEHIND = 13;

function openShiftVersion(files: BundleFiles): string {
  const manifests = [...files].filter(([path]) => path.startsWith('manifests/'));
  const csv = manifests
    .map(([path, text]) => readFirstDocument(text, path))
    .find((object) => isObject(object) && isCsv(object));
  const minor = Number(textAt(csv, 'spec', 'minKubeVersion').split('.')[1]);
  return `v4.${minor - OPENSHIFT_BEHIND}`;
}

function withOpenShift(text: string, path: string, version: string): string {
  const document = readYaml(text, path);
  const annotations = isObject(document) && isObject(document['annotations']) ? document['annotations'] : {};
  return writeYaml({ annotations: { ...annotations, [OPENSHIFT_VERSIONS]: version } });
}
