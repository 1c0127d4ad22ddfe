import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Verified } from '../../components/catalog/catalog-source.ts';
import type { Catalog } from '../../components/catalog/fbc.ts';
import { pullVerified, type GivenKey } from '../../components/catalog/pull-verified.ts';
import type { CatalogImageArgs } from '../../components/images/catalog-image.ts';
import type { CheckoutCatalogArgs } from '../../components/images/checkout-catalog.ts';
import { checkoutContent } from '../../components/images/checkout-content.ts';
import { CATALOG_SOURCES, OPERATOR_SOURCES, sourceRevision } from '../../components/images/source-revision.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';
import { STORAGE_VERSION } from '../../packages/api/constants.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { settingPath } from '../config/setting-path.ts';
import type { Environment } from '../environment.ts';
import type { ImageSettings } from '../images/image-settings.ts';
import { withRegistry } from '../registry.ts';
import { readTemplate, releasedContent } from './content.ts';

/** A catalog whose content is known, and where its image comes from. */
export interface PreparedCatalog {
  readonly content: Catalog;
  readonly origin: CatalogOrigin;
}

/** An image that exists, or what one is built from, by the source that the settings name. */
export type CatalogOrigin =
  | { readonly source: 'image'; readonly ref: string; readonly verified?: Verified }
  | { readonly source: 'checkout'; readonly args: CheckoutCatalogArgs }
  | { readonly source: 'build'; readonly args: Omit<CatalogImageArgs, 'catalog'> };

export interface CatalogRequest extends Environment {
  readonly images: ImageSettings;
}

/** Reads what the catalog of the settings will offer. */
export async function prepareCatalog(request: CatalogRequest): Promise<PreparedCatalog> {
  const { source, image, verify } = request.settings.catalog;
  return withRegistry(request, async (client) => {
    switch (source) {
      case 'image':
        // The settings' checks have made sure that there is one.
        return fromImage(image ?? '', verify === undefined ? undefined : settingPath(request.checkout, verify), client);
      case 'checkout':
        return fromCheckout(request);
      case 'build':
        return fromReleases(request, client);
    }
  });
}

async function fromImage(ref: string, keyFile: string | undefined, client: RegistryClient): Promise<PreparedCatalog> {
  const key = keyFile === undefined ? undefined : await readKey(keyFile);
  const { content, verified } = await pullVerified(client, ref, key);
  return { content, origin: { source: 'image', ref, ...(verified === undefined ? {} : { verified }) } };
}

async function readKey(file: string): Promise<GivenKey> {
  const path = 'catalog.verify';
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const remedy = 'Set it to the path, from the checkout, of the public key of whoever signs the catalog.';
    throw new ProblemsError([{ path, value: file, message: `cannot be read: ${messageOf(error)}`, remedy }]);
  });
  return { text, object: file, path };
}

async function fromCheckout({ settings, checkout, images }: CatalogRequest): Promise<PreparedCatalog> {
  const file = settingPath(checkout, settings.catalog.template);
  const content = { template: await readTemplate(file), file, crdVersion: STORAGE_VERSION };
  return {
    content: checkoutContent(content),
    origin: {
      source: 'checkout',
      args: {
        ...content,
        imageBase: `${images.repository}/operator`,
        controller: { context: join(checkout, 'controller'), baseImage: images.base },
        source: sourceRevision(checkout, OPERATOR_SOURCES),
        catalogSource: sourceRevision(checkout, [...OPERATOR_SOURCES, ...CATALOG_SOURCES, file]),
        settings: images.build,
        workDirectory: images.workDirectory,
      },
    },
  };
}

async function fromReleases(
  { name, settings, checkout, images }: CatalogRequest,
  client: RegistryClient,
): Promise<PreparedCatalog> {
  const file = settingPath(checkout, settings.catalog.template);
  const catalog = await releasedContent(file, client);
  return {
    content: catalog,
    origin: {
      source: 'build',
      args: {
        // Clusters may follow the tag of `make catalog-build-push`. An update of one environment must not move it.
        image: `${images.repository}/operator-catalog:environment-${name}`,
        version: catalog.package.defaultChannel,
        source: sourceRevision(checkout, [...CATALOG_SOURCES, file]),
        settings: images.build,
        workDirectory: images.workDirectory,
      },
    },
  };
}
