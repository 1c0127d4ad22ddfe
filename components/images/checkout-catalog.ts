import * as pulumi from '@pulumi/pulumi';
import { childName } from '../child-name.ts';
import type { Catalog, FbcBundle } from '../catalog/fbc.ts';
import { renderCatalog } from '../catalog/render.ts';
import type { SemverTemplate } from '../catalog/template.ts';
import { BundleImage } from './bundle-image.ts';
import { CatalogImage } from './catalog-image.ts';
import { templateVersions } from './checkout-content.ts';
import { CHECKOUT_TAG, checkoutBundleTag } from './checkout-tag.ts';
import { ContainerImage } from './container-image.ts';
import type { SourceRevision } from './source-revision.ts';
import type { BuildArgs } from './text-image.ts';

export interface CheckoutCatalogArgs extends BuildArgs {
  /** Revision of the catalog; `source` is that of the operator and its bundles. */
  readonly catalogSource: SourceRevision;
  readonly template: SemverTemplate;
  /** The template's file name, for messages. */
  readonly file: string;
  /** Where images are pushed: `<base>`, `<base>-bundle` and `<base>-catalog`, e.g. `registry.example.com/fleet/operator`. */
  readonly imageBase: string;
  /** The controller's directory, with its Dockerfile, and the base image that it is built on. */
  readonly controller: { readonly context: string; readonly baseImage?: pulumi.Input<string> };
  /** The API version that the bundles' examples use. */
  readonly crdVersion: string;
}

/**
 * A catalog for development: every version that the template lists is built from one checkout. All of them run one
 * controller image, which gets its version from the bundle, so several majors can be tried side by side before any is
 * released.
 */
export class CheckoutCatalog extends pulumi.ComponentResource {
  readonly ref: pulumi.Output<string>;
  readonly controllerImage: pulumi.Output<string>;
  /** The content, for whoever wants to know what the catalog resolves to. */
  readonly catalog: pulumi.Output<Catalog>;

  constructor(name: string, args: CheckoutCatalogArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:images:CheckoutCatalog', name, {}, opts);
    const versions = templateVersions(args.template, args.file);
    const { settings, source, workDirectory } = args;
    const build: BuildArgs = { settings, source, workDirectory };
    const controller = new ContainerImage(
      childName(name, 'operator'),
      {
        image: `${args.imageBase}:${CHECKOUT_TAG}`,
        settings,
        facts: { title: 'Inference Stack Operator', version: CHECKOUT_TAG, source },
        context: args.controller.context,
        ...(args.controller.baseImage === undefined ? {} : { buildArgs: { BASE_IMAGE: args.controller.baseImage } }),
      },
      { parent: this },
    );
    const bundles = [...versions].map(([image, version]) => {
      const bundle = new BundleImage(
        childName(name, `bundle-${version}`),
        {
          version,
          tag: checkoutBundleTag(version),
          crdVersion: args.crdVersion,
          repository: `${args.imageBase}-bundle`,
          controllerImage: controller.ref,
          ...build,
        },
        { parent: this },
      );
      return [image, bundle.bundle] as const;
    });
    this.controllerImage = controller.ref;
    this.catalog = renderBuilt(args, new Map(bundles));
    const catalogImage = new CatalogImage(
      childName(name, 'catalog'),
      {
        image: `${args.imageBase}-catalog:${CHECKOUT_TAG}`,
        catalog: this.catalog,
        version: CHECKOUT_TAG,
        ...build,
        source: args.catalogSource,
      },
      { parent: this },
    );
    this.ref = catalogImage.ref;
    this.registerOutputs({ ref: this.ref, controllerImage: this.controllerImage });
  }
}

function renderBuilt(
  { template, file }: CheckoutCatalogArgs,
  bundles: ReadonlyMap<string, pulumi.Output<FbcBundle>>,
): pulumi.Output<Catalog> {
  const images = [...bundles.keys()];
  // The type of all() unwraps its members recursively, which never ends for JSON.
  const values = pulumi.all([...bundles.values()] as pulumi.Output<unknown>[]) as pulumi.Output<FbcBundle[]>;
  return values.apply((read) =>
    renderCatalog({
      template,
      file,
      bundles: new Map(read.map((bundle, index) => [images[index] ?? '', bundle])),
    }),
  );
}
