import * as pulumi from '@pulumi/pulumi';
import { join } from 'node:path';
import { buildBundle } from '../bundle/bundle.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { FbcBundle } from '../catalog/fbc.ts';
import { bundleToFbc } from '../catalog/registry-v1.ts';
import { textImageContext, writeContext } from './build-context.ts';
import { ContainerImage } from './container-image.ts';
import type { ImageBuildSettings } from './container-image.ts';
import type { SourceRevision } from './source-revision.ts';

export interface BundleImageArgs {
  /** The operator's version, e.g. `1.2.0`; it is also the image's tag. */
  readonly version: string;
  readonly crdVersion: string;
  /** The repository to push to, e.g. `registry.example.com/fleet/operator-bundle`. */
  readonly repository: string;
  /** The controller image, by digest. */
  readonly controllerImage: pulumi.Input<string>;
  readonly imagePullSecrets?: readonly string[];
  readonly source: SourceRevision;
  readonly settings: ImageBuildSettings;
  /** Where build contexts are written. */
  readonly workDirectory: string;
}

/** The bundle of one operator version, built from this checkout and pushed. */
export class BundleImage extends pulumi.ComponentResource {
  readonly ref: pulumi.Output<string>;
  /** What a catalog says about the bundle. */
  readonly bundle: pulumi.Output<FbcBundle>;

  constructor(name: string, args: BundleImageArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:images:BundleImage', name, {}, opts);
    const { version, source } = args;
    const controllerImage = pulumi.output(args.controllerImage);
    const directory = join(args.workDirectory, `bundle-${version}`);
    const image = new ContainerImage(
      name,
      {
        image: `${args.repository}:${version}`,
        settings: args.settings,
        facts: { title: 'Inference Stack Operator bundle', version, source },
        context: controllerImage.apply((controller) =>
          writeContext(directory, textImageContext(bundleFor(args, controller))),
        ),
      },
      { parent: this },
    );
    this.ref = image.ref;
    this.bundle = pulumi
      .all([image.ref, controllerImage])
      .apply(([ref, controller]) => bundleToFbc(ref, bundleFor(args, controller).files));
    this.registerOutputs({ ref: this.ref });
  }
}

function bundleFor(args: BundleImageArgs, controllerImage: string): Bundle {
  const { version, crdVersion, source, imagePullSecrets } = args;
  return buildBundle({
    version,
    crdVersion,
    controllerImage,
    created: source.created,
    ...(imagePullSecrets === undefined ? {} : { imagePullSecrets }),
    ...(source.url === undefined ? {} : { source: source.url }),
  });
}
