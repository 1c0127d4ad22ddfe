import * as pulumi from '@pulumi/pulumi';
import { join } from 'node:path';
import type { Catalog } from '../../components/catalog/fbc.ts';
import { CatalogImage } from '../../components/images/catalog-image.ts';
import { CheckoutCatalog } from '../../components/images/checkout-catalog.ts';
import { CATALOG_SOURCES, OPERATOR_SOURCES, sourceRevision } from '../../components/images/source-revision.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';
import { STORAGE_VERSION } from '../../packages/api/constants.ts';
import { settingPath } from '../config/setting-path.ts';
import type { Environment } from '../environment.ts';
import type { ImageSettings } from '../images/image-settings.ts';
import { withRegistry } from '../registry.ts';
import { checkoutContent, imageContent, releasedContent } from './content.ts';

/** A catalog whose content is known, and whose image is made when everything it needs has been registered. */
export interface PreparedCatalog {
  readonly content: Catalog;
  build(): pulumi.Output<string>;
}

export interface CatalogRequest extends Environment {
  readonly images: ImageSettings;
}

/** Reads what the catalog of the settings will offer. */
export async function prepareCatalog(request: CatalogRequest): Promise<PreparedCatalog> {
  const { source, image } = request.settings.catalog;
  return withRegistry(request, async (client) => {
    if (image !== undefined) {
      return { content: await imageContent(image, client), build: () => pulumi.output(image) };
    }
    return source === 'checkout' ? fromCheckout(request) : fromReleases(request, client);
  });
}

async function fromCheckout({ settings, checkout, images }: CatalogRequest): Promise<PreparedCatalog> {
  const path = settingPath(checkout, settings.catalog.template);
  const { template, file, catalog } = await checkoutContent(path);
  return {
    content: catalog,
    build: () =>
      new CheckoutCatalog('images', {
        template,
        file,
        imageBase: `${images.repository}/operator`,
        controller: { context: join(checkout, 'controller'), baseImage: images.base },
        crdVersion: STORAGE_VERSION,
        source: sourceRevision(checkout, OPERATOR_SOURCES),
        catalogSource: sourceRevision(checkout, [...OPERATOR_SOURCES, ...CATALOG_SOURCES, path]),
        settings: images.build,
        workDirectory: images.workDirectory,
      }).ref,
  };
}

async function fromReleases(
  { settings, checkout, images }: CatalogRequest,
  client: RegistryClient,
): Promise<PreparedCatalog> {
  const path = settingPath(checkout, settings.catalog.template);
  const { catalog } = await releasedContent(path, client);
  return {
    content: catalog,
    build: () =>
      new CatalogImage('catalog', {
        image: `${images.repository}/operator-catalog:latest`,
        catalog: pulumi.output<unknown>(catalog) as pulumi.Output<Catalog>,
        version: catalog.package.defaultChannel,
        source: sourceRevision(checkout, [...CATALOG_SOURCES, path]),
        settings: images.build,
        workDirectory: images.workDirectory,
      }).ref,
  };
}
