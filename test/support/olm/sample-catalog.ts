import { buildBundle } from '../../../components/bundle/bundle.ts';
import type { Catalog, FbcBundle } from '../../../components/catalog/fbc.ts';
import { bundleToFbc } from '../../../components/catalog/registry-v1.ts';
import { renderCatalog } from '../../../components/catalog/render.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

/** The bundle of a version, as the project builds it. */
export function sampleBundle(version: string, crdVersion = 'v1beta1'): FbcBundle {
  const controllerImage = `registry.example/controller@${DIGEST}`;
  const created = new Date('2026-01-01T00:00:00Z');
  const { files } = buildBundle({ version, crdVersion, controllerImage, created });
  return bundleToFbc(`registry.example/bundle:${version}`, files);
}

/** A catalog that offers these versions in stable and fast, with the content that the project's own bundles have. */
export function sampleCatalog(versions: readonly string[], deprecated: readonly string[] = []): Catalog {
  const bundles = new Map(versions.map((version) => [`registry.example/bundle:${version}`, sampleBundle(version)]));
  const images = [...bundles.keys()];
  return renderCatalog({
    template: {
      generateMajorChannels: true,
      generateMinorChannels: false,
      defaultChannelTypePreference: 'major',
      images: { Candidate: [], Fast: images, Stable: images },
    },
    bundles,
    file: 'sample.yaml',
    ...(deprecated.length === 0
      ? {}
      : {
          deprecations: {
            schema: 'olm.deprecations',
            package: 'inference-stack-operator',
            entries: deprecated.map((version) => ({
              reference: { schema: 'olm.bundle', name: `inference-stack-operator.v${version}` },
              message: `${version} loses requests`,
            })),
          },
        }),
  });
}
