import { pullBundles } from '../../../components/catalog/pull-bundles.ts';
import { renderReleased } from '../../../components/catalog/release.ts';
import { renderCatalog } from '../../../components/catalog/render.ts';
import { parseTemplate, templateImages } from '../../../components/catalog/template.ts';
import { writeCatalog } from '../../../components/catalog/write.ts';
import type { OutputFormat } from '../../../components/catalog/write.ts';
import type { Io } from '../../io.ts';
import { type RegistryOptions, withRegistry } from '../../registry-options.ts';
import { readDeprecations, readState } from './files.ts';

/** The options of `fleet catalog render`. */
export interface CatalogRenderOptions extends RegistryOptions {
  readonly file: string;
  readonly output: OutputFormat;
  readonly lock?: string | undefined;
  readonly deprecations?: string | undefined;
}

/** Takes and prints what `opm alpha render-template semver` does. */
export async function run(options: CatalogRenderOptions, io: Io): Promise<number> {
  const { output: format } = options;
  const extra = options.deprecations === undefined ? {} : await readDeprecations(io, options.deprecations);
  if (options.lock !== undefined) {
    const state = await readState(io, options.file, options.lock);
    io.out(writeCatalog(renderReleased(state, extra.deprecations), format));
    return 0;
  }
  const file = options.file === '-' ? 'standard input' : options.file;
  const template = parseTemplate(await io.read(options.file), file);
  const pulled = await withRegistry(options, io, (client) => pullBundles(client, templateImages(template)));
  const bundles = new Map([...pulled].map(([image, { bundle }]) => [image, bundle]));
  io.out(writeCatalog(renderCatalog({ template, bundles, file, ...extra }), format));
  return 0;
}
