import { bundleToFbc } from '../../../components/catalog/registry-v1.ts';
import type { BundleFiles } from '../../../components/catalog/registry-v1.ts';
import type { FbcBundle } from '../../../components/catalog/fbc.ts';

/** What a test changes about a bundle. */
export interface TinyBundle {
  readonly version: string;
  readonly packageName?: string;
  /** The CSV's name; `<package>.v<version>` by default. */
  readonly name?: string;
  readonly description?: string;
}

/** The files of the smallest bundle that opm and operator-controller read. */
export function tinyBundleFiles({
  version,
  packageName = 'tiny',
  name,
  description = 'A tiny operator.',
}: TinyBundle): BundleFiles {
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: name ?? `${packageName}.v${version}` },
    spec: {
      displayName: 'Tiny <operator> & friends',
      description: `${description} Version ${version}.`,
      version,
      icon: [{ base64data: Buffer.from(`<svg>${version}</svg>`).toString('base64'), mediatype: 'image/svg+xml' }],
      installModes: [{ type: 'AllNamespaces', supported: true }],
      install: { strategy: 'deployment', spec: { deployments: [deployment(version)] } },
    },
  };
  const annotations = { 'operators.operatorframework.io.bundle.package.v1': packageName };
  return new Map([
    ['manifests/csv.json', JSON.stringify(csv)],
    ['metadata/annotations.yaml', JSON.stringify({ annotations })],
  ]);
}

/** The catalog entry of such a bundle under an image name. */
export function tinyBundle(image: string, bundle: TinyBundle): FbcBundle {
  return bundleToFbc(image, tinyBundleFiles(bundle));
}

function deployment(version: string): object {
  const container = { name: 'manager', image: `registry.example.com/tiny:${version.replace('+', '_')}` };
  return { name: 'tiny', spec: { template: { spec: { containers: [container] } } } };
}
