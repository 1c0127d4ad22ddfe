import * as pulumi from '@pulumi/pulumi';
import { buildBundle, type Bundle } from '../bundle/bundle.ts';
import type { FbcBundle } from '../catalog/fbc.ts';
import { bundleToFbc } from '../catalog/registry-v1.ts';
import { textImage, type BuildArgs } from './text-image.ts';
import { definedOnly } from '../../packages/lib/values.ts';

export interface BundleImageArgs extends BuildArgs {
  /** The operator's version, e.g. `1.2.0`. */
  readonly version: string;
  /** The image's tag; by default, the version. */
  readonly tag?: string;
  /** The API version that the bundle's examples use. */
  readonly crdVersion: string;
  /** The repository to push to, e.g. `registry.example.com/fleet/operator-bundle`. */
  readonly repository: string;
  /** The controller image, by digest. */
  readonly controllerImage: pulumi.Input<string>;
}

/** The bundle of one operator version, built from a checkout and pushed. */
export class BundleImage extends pulumi.ComponentResource {
  readonly ref: pulumi.Output<string>;
  /** What a catalog says about the bundle. */
  readonly bundle: pulumi.Output<FbcBundle>;

  constructor(name: string, args: BundleImageArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:images:BundleImage', name, {}, opts);
    const controllerImage = pulumi.output(args.controllerImage);
    const content = controllerImage.apply((controller) => bundleFor(args, controller));
    const image = textImage(
      name,
      {
        ...args,
        folder: `bundle-${args.version}`,
        image: `${args.repository}:${args.tag ?? args.version}`,
        title: 'Inference Stack Operator bundle',
        content,
      },
      { parent: this },
    );
    this.ref = image.ref;
    // Nested, because all() would unwrap the bundle, and does not support the Map in it.
    this.bundle = image.ref.apply((ref) => content.apply(({ files }) => bundleToFbc(ref, files)));
    this.registerOutputs({ ref: this.ref });
  }
}

function bundleFor({ version, crdVersion, source }: BundleImageArgs, controllerImage: string): Bundle {
  return buildBundle(
    definedOnly({
      version,
      crdVersion,
      controllerImage,
      created: source.created,
      source: source.url,
    }),
  );
}
