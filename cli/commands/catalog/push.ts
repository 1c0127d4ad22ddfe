import { renderCatalog } from '../../../components/catalog/render.ts';
import { renderReleased } from '../../../components/catalog/release.ts';
import type { Catalog, FbcBundle } from '../../../components/catalog/fbc.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { retaggedProblems } from '../../../components/catalog/verify-digests.ts';
import { checkoutContent, templateVersions } from '../../../components/images/checkout-content.ts';
import { CHECKOUT_TAG, checkoutBundleTag } from '../../../components/images/checkout-tag.ts';
import { publishBundle, publishCatalog, publishController } from '../../../components/images/publish.ts';
import type { PublishSettings } from '../../../components/images/publish.ts';
import { refuse } from '../../../packages/lib/problem.ts';
import type { Io } from '../../io.ts';
import { baseImage, publishSettings } from '../../publish-target.ts';
import { type RegistryOptions, withRegistry } from '../../registry-options.ts';
import { LOCK } from './committed.ts';
import { readDeprecations, readState } from './files.ts';

/** The options of `fleet catalog push`. */
export interface CatalogPushOptions extends RegistryOptions {
  readonly tag?: string | undefined;
  readonly dev?: boolean | undefined;
  readonly template: string;
  readonly crdVersion: string;
}

/** Publishes a catalog. Everything is checked before anything is pushed. */
export async function run(options: CatalogPushOptions, io: Io): Promise<number> {
  const { dev = false, template, crdVersion } = options;
  const tag = options.tag ?? (dev ? CHECKOUT_TAG : 'latest');
  const settings = publishSettings(io.env, dev, dev ? template : undefined);
  if (dev) {
    const catalog = await developmentCatalog(settings, template, crdVersion, io);
    io.out(`catalog  ${await publishCatalog(settings, catalog, tag)}\n`);
    return 0;
  }
  const state = await readState(io);
  const { deprecations } = await readDeprecations(io);
  const catalog = renderReleased(state, deprecations);
  refuse(await withRegistry(options, io, (client) => retaggedProblems(client, state.lock, LOCK)));
  io.out(`catalog  ${await publishCatalog(settings, catalog, tag)}\n`);
  return 0;
}

async function developmentCatalog(
  settings: PublishSettings,
  file: string,
  crdVersion: string,
  io: Io,
): Promise<Catalog> {
  const template = parseTemplate(await io.read(file), file);
  checkoutContent({ template, file, crdVersion });
  const versions = templateVersions(template, file);
  const base = await baseImage(io.env, true);
  const controllerImage = await publishController(settings, {
    context: 'controller',
    baseImage: base,
    tag: CHECKOUT_TAG,
  });
  io.out(`controller  ${controllerImage}\n`);
  const bundles = new Map<string, FbcBundle>();
  for (const [image, version] of versions) {
    const tag = checkoutBundleTag(version);
    const bundle = await publishBundle(settings, { version, tag, crdVersion, controllerImage });
    io.out(`bundle ${version}  ${bundle.image}\n`);
    bundles.set(image, bundle);
  }
  return renderCatalog({ template, bundles, file });
}
