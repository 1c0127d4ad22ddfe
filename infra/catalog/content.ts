import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseDeprecations } from '../../components/catalog/deprecations.ts';
import type { Catalog, FbcDeprecations } from '../../components/catalog/fbc.ts';
import { parseLock, pinBundle } from '../../components/catalog/lock.ts';
import { pullBundles } from '../../components/catalog/pull-bundles.ts';
import { renderLocked } from '../../components/catalog/release.ts';
import { renderCatalog } from '../../components/catalog/render.ts';
import { parseTemplate, templateImages, type SemverTemplate } from '../../components/catalog/template.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';

/** Files beside a template of released versions. */
const LOCK_FILE = 'catalog.lock.yaml';
const DEPRECATIONS_FILE = 'deprecations.yaml';

/**
 * The content of a catalog of released versions. With a lock beside the template nothing is fetched, and whatever
 * contradicts a release is refused; without one the bundles are those of the registry, pinned to what it has now.
 */
export async function releasedContent(file: string, client: RegistryClient): Promise<Catalog> {
  const template = await readTemplate(file);
  const deprecations = await readDeprecations(join(dirname(file), DEPRECATIONS_FILE));
  const lockFile = join(dirname(file), LOCK_FILE);
  if (existsSync(lockFile)) {
    const lock = parseLock(await readFile(lockFile, 'utf8'), lockFile);
    return renderLocked({ template, file, lock }, deprecations);
  }
  const pulled = await pullBundles(client, templateImages(template));
  const bundles = new Map([...pulled].map(([image, { bundle, digest }]) => [image, pinBundle(bundle, digest)]));
  return renderCatalog({ template, file, bundles, deprecations });
}

export async function readTemplate(file: string): Promise<SemverTemplate> {
  return parseTemplate(await readFile(file, 'utf8'), file);
}

async function readDeprecations(file: string): Promise<FbcDeprecations | undefined> {
  return existsSync(file) ? parseDeprecations(await readFile(file, 'utf8'), file) : undefined;
}
