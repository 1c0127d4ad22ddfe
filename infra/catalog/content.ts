import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildBundle } from '../../components/bundle/bundle.ts';
import { parseDeprecations } from '../../components/catalog/deprecations.ts';
import type { Catalog, FbcBundle, FbcDeprecations } from '../../components/catalog/fbc.ts';
import { parseLock, pinBundle } from '../../components/catalog/lock.ts';
import { pullBundles } from '../../components/catalog/pull-bundles.ts';
import { bundleToFbc } from '../../components/catalog/registry-v1.ts';
import { renderLocked } from '../../components/catalog/release.ts';
import { renderCatalog } from '../../components/catalog/render.ts';
import { parseTemplate, templateImages, type SemverTemplate } from '../../components/catalog/template.ts';
import { templateVersions } from '../../components/images/checkout-catalog.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';
import { STORAGE_VERSION } from '../../packages/api/constants.ts';

/** What a catalog of this checkout will offer, known before any image is built: the preview resolves against it. */
export interface CheckoutContent {
  readonly template: SemverTemplate;
  readonly catalog: Catalog;
}

/** Files beside a template of released versions. */
const LOCK_FILE = 'catalog.lock.yaml';
const DEPRECATIONS_FILE = 'deprecations.yaml';

/** Stands for the image of a controller that is not built yet. What a catalog resolves to does not depend on it. */
const UNBUILT = `localhost/unbuilt@sha256:${'0'.repeat(64)}`;

/** The content of a development catalog: every version of the template, as this checkout would build it. */
export async function checkoutContent(file: string): Promise<CheckoutContent> {
  const template = await readTemplate(file);
  const bundles = [...templateVersions(template, file)].map(([image, version]): [string, FbcBundle] => {
    const args = { version, crdVersion: STORAGE_VERSION, controllerImage: UNBUILT, created: new Date(0) };
    return [image, bundleToFbc(image, buildBundle(args).files)];
  });
  return { template, catalog: renderCatalog({ template, file, bundles: new Map(bundles) }) };
}

/**
 * The content of a catalog of released versions. With a lock beside the template nothing is fetched, and whatever
 * contradicts a release is refused; without one the bundles are those of the registry, pinned to what it has now.
 */
export async function releasedContent(file: string, client: RegistryClient): Promise<Catalog> {
  const template = await readTemplate(file);
  const lockFile = join(dirname(file), LOCK_FILE);
  if (existsSync(lockFile)) {
    const lock = parseLock(await readFile(lockFile, 'utf8'), lockFile);
    return renderLocked({ template, file, lock }, await readDeprecations(join(dirname(file), DEPRECATIONS_FILE)));
  }
  const pulled = await pullBundles(client, templateImages(template));
  const bundles = new Map([...pulled].map(([image, { bundle, digest }]) => [image, pinBundle(bundle, digest)]));
  return renderCatalog({ template, file, bundles });
}

async function readTemplate(file: string): Promise<SemverTemplate> {
  return parseTemplate(await readFile(file, 'utf8'), file);
}

async function readDeprecations(file: string): Promise<FbcDeprecations | undefined> {
  return existsSync(file) ? parseDeprecations(await readFile(file, 'utf8'), file) : undefined;
}
