import * as pulumi from '@pulumi/pulumi';
import type { Catalog } from '../catalog/fbc.ts';
import { catalogImageContent } from './catalog-content.ts';
import { textImage, type BuildArgs } from './text-image.ts';

export interface CatalogImageArgs extends BuildArgs {
  /** Canonical name with a tag, e.g. `registry.example.com/fleet/operator-catalog:dev`. */
  readonly image: string;
  readonly catalog: pulumi.Output<Catalog>;
  /** The version of the catalog as a whole for labels, e.g. the newest version in it. */
  readonly version: string;
}

/** The catalog image, built from rendered content and pushed. */
export class CatalogImage extends pulumi.ComponentResource {
  readonly ref: pulumi.Output<string>;

  constructor(name: string, args: CatalogImageArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:images:CatalogImage', name, {}, opts);
    const content = args.catalog.apply(catalogImageContent);
    const image = textImage(
      name,
      { ...args, folder: 'catalog', title: 'Inference Stack Operator catalog', content },
      { parent: this },
    );
    this.ref = image.ref;
    this.registerOutputs({ ref: this.ref });
  }
}
