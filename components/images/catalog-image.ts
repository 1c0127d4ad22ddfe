import * as pulumi from '@pulumi/pulumi';
import type { Catalog } from '../catalog/fbc.ts';
import { writeCatalog } from '../catalog/write.ts';
import type { TextImageContent } from './build-context.ts';
import { textImage, type BuildArgs } from './text-image.ts';

/** The label that tells catalogd where the content is in the image. */
const CONFIGS_LABEL = 'operators.operatorframework.io.index.configs.v1';

/** The files and labels of a catalog image: catalogd reads the content itself, so no program is in it. */
export function catalogImageContent(catalog: Catalog): TextImageContent {
  const path = `configs/${catalog.package.name}/catalog.json`;
  return { files: new Map([[path, writeCatalog(catalog, 'json')]]), labels: { [CONFIGS_LABEL]: '/configs' } };
}

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
