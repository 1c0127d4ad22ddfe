import { renderCatalog } from '../../../components/catalog/render.ts';
import { renderReleased } from '../../../components/catalog/release.ts';
import type { Catalog, FbcBundle } from '../../../components/catalog/fbc.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { retaggedProblems } from '../../../components/catalog/verify-digests.ts';
import { templateVersions } from '../../../components/images/checkout-catalog.ts';
import { publishBundle, publishCatalog, publishController } from '../../../components/images/publish.ts';
import type { PublishSettings } from '../../../components/images/publish.ts';
import { refuse } from '../../../packages/lib/problem.ts';
import type { Io } from '../../io.ts';
import { parseOptions } from '../../options.ts';
import { baseImage, publishSettings } from '../../publish-target.ts';
import { REGISTRY_OPTIONS, REGISTRY_USAGE, withRegistry } from '../../registry-options.ts';
import { DEV_TEMPLATE, LOCK, readDeprecations, readState } from './files.ts';

const USAGE = `Usage: fleet catalog push [--tag TAG] [--dev [--template FILE]]

  --tag TAG              tag of the catalog image (latest)
  --dev                  the development catalog: every version of its template is built from this checkout
  --template FILE        template of the development catalog (${DEV_TEMPLATE})
  --crd-version VERSION  API version that examples of development bundles use (v1alpha1)
${REGISTRY_USAGE}`;

const OPTIONS = {
  tag: { type: 'string', default: 'latest' },
  dev: { type: 'boolean', default: false },
  template: { type: 'string', default: DEV_TEMPLATE },
  'crd-version': { type: 'string', default: 'v1alpha1' },
  ...REGISTRY_OPTIONS,
} as const;

/** Publishes a catalog. Everything is checked before anything is pushed. */
export async function run(args: string[], io: Io): Promise<number> {
  const values = parseOptions(args, OPTIONS, USAGE);
  const settings = publishSettings(io.env, values.dev, values.dev ? values.template : undefined);
  if (values.dev) {
    const catalog = await developmentCatalog(settings, values.template, values['crd-version'], io);
    io.out(`catalog  ${await publishCatalog(settings, catalog, values.tag)}\n`);
    return 0;
  }
  const state = await readState(io);
  const { deprecations } = await readDeprecations(io);
  const catalog = renderReleased(state, deprecations);
  refuse(await withRegistry(values, io, (client) => retaggedProblems(client, state.lock, LOCK)));
  io.out(`catalog  ${await publishCatalog(settings, catalog, values.tag)}\n`);
  return 0;
}

async function developmentCatalog(
  settings: PublishSettings,
  file: string,
  crdVersion: string,
  io: Io,
): Promise<Catalog> {
  const template = parseTemplate(await io.read(file), file);
  const versions = templateVersions(template, file);
  const base = await baseImage(io.env, true);
  const controllerImage = await publishController(settings, {
    context: 'controller',
    baseImage: base,
    tag: 'checkout',
  });
  io.out(`controller  ${controllerImage}\n`);
  const bundles = new Map<string, FbcBundle>();
  for (const [image, version] of versions) {
    const bundle = await publishBundle(settings, { version, crdVersion, controllerImage });
    io.out(`bundle ${version}  ${bundle.image}\n`);
    bundles.set(image, bundle);
  }
  return renderCatalog({ template, bundles, file });
}
