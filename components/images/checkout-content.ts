import { ProblemsError, refuse } from '../../packages/lib/problem.ts';
import { buildBundle } from '../bundle/bundle.ts';
import type { Catalog, FbcBundle } from '../catalog/fbc.ts';
import { bundleToFbc } from '../catalog/registry-v1.ts';
import { renderCatalog } from '../catalog/render.ts';
import { templateImages, type SemverTemplate } from '../catalog/template.ts';
import { parseVersion } from '../catalog/version.ts';
import { parseReference, referenceProblems } from '../registry/reference.ts';

/** Stands for the image of a controller that is not built yet. What a catalog resolves to does not depend on it. */
export const UNBUILT = `localhost/unbuilt@sha256:${'0'.repeat(64)}`;

/** What a development catalog is made from. */
export interface CheckoutContentArgs {
  readonly template: SemverTemplate;
  /** The template's file name, for messages. */
  readonly file: string;
  readonly crdVersion: string;
}

/**
 * The content of a development catalog, every version of the template as a checkout would build it, before any image is built. Throws
 * whatever the catalog of the built images would be refused for. Deprecations are about releases, so it has none.
 */
export function checkoutContent({ template, file, crdVersion }: CheckoutContentArgs): Catalog {
  const bundles = [...templateVersions(template, file)].map(([image, version]): [string, FbcBundle] => {
    const args = { version, crdVersion, controllerImage: UNBUILT, created: new Date(0) };
    return [image, bundleToFbc(image, buildBundle(args).files)];
  });
  return renderCatalog({ template, file, bundles: new Map(bundles) });
}

/** The versions of a development template: each image's tag is the version that is built for it. */
export function templateVersions(template: SemverTemplate, file: string): Map<string, string> {
  const images = templateImages(template);
  refuse(images.flatMap((image) => referenceProblems(image, { object: file, path: 'Image' })));
  return new Map(
    images.map((image) => {
      const tag = parseReference(image)?.tag ?? '';
      if (parseVersion(tag) !== undefined) return [image, tag];
      const remedy = 'Tag it with the version to build, e.g. 3.0.0.';
      throw new ProblemsError([
        { object: file, path: 'Image', value: image, message: 'has a tag that is not a version', remedy },
      ]);
    }),
  );
}
