import type { BundleFiles } from '../catalog/registry-v1.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';
import { readBundleArgs } from './bundle-args.ts';
import type { BundleArgs, BundleInput } from './bundle-args.ts';
import { clusterServiceVersion } from './cluster-service-version.ts';
import { operatorManifests } from './operator-manifests.ts';
import { PACKAGE } from '../../packages/api/operator-names.ts';

/** A registry+v1 bundle: the files of its image and the labels that OLM recognises it by. */
export interface Bundle {
  readonly version: string;
  readonly major: number;
  readonly files: BundleFiles;
  readonly labels: Readonly<Record<string, string>>;
}

/** The bundle of one operator version: a pure function of its arguments, so that the same commit gives the same bundle. */
export function buildBundle(args: BundleArgs): Bundle {
  const input = readBundleArgs(args);
  const labels = bundleLabels(input);
  const manifests = [...operatorManifests(input.major)].map(
    ([name, manifest]) => [`manifests/${name}.yaml`, writeYaml(manifest)] as const,
  );
  return {
    version: input.version,
    major: input.major,
    labels,
    files: new Map([
      [`manifests/${PACKAGE}.clusterserviceversion.yaml`, writeYaml(clusterServiceVersion(input))],
      ...manifests,
      ['metadata/annotations.yaml', writeYaml({ annotations: labels })],
    ]),
  };
}

/** The same facts are labels of the image and annotations inside it. */
function bundleLabels({ channels, defaultChannel }: BundleInput): Record<string, string> {
  const prefix = 'operators.operatorframework.io.bundle';
  return {
    [`${prefix}.mediatype.v1`]: 'registry+v1',
    [`${prefix}.manifests.v1`]: 'manifests/',
    [`${prefix}.metadata.v1`]: 'metadata/',
    [`${prefix}.package.v1`]: PACKAGE,
    [`${prefix}.channels.v1`]: channels.join(','),
    [`${prefix}.channel.default.v1`]: defaultChannel,
  };
}
