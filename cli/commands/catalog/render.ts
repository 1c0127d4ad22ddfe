import { pullBundles } from '../../../components/catalog/pull-bundles.ts';
import { renderReleased } from '../../../components/catalog/release.ts';
import { renderCatalog } from '../../../components/catalog/render.ts';
import { parseTemplate, templateImages } from '../../../components/catalog/template.ts';
import { OUTPUT_FORMATS, writeCatalog } from '../../../components/catalog/write.ts';
import type { OutputFormat } from '../../../components/catalog/write.ts';
import { UsageError } from '../../command.ts';
import type { Io } from '../../io.ts';
import { parseOptions } from '../../options.ts';
import { REGISTRY_OPTIONS, REGISTRY_USAGE, withRegistry } from '../../registry-options.ts';
import { readDeprecations, readState } from './files.ts';

const USAGE = `Usage: fleet catalog render [-f TEMPLATE] [-o json|yaml|mermaid] [options]

  -f, --file FILE      olm.semver template; - (the default) reads standard input
  -o, --output FORMAT  json (the default), yaml or mermaid
  --lock FILE          take bundles from this lock instead of the registry, and refuse what contradicts it
  --deprecations FILE  add the olm.deprecations of this file
${REGISTRY_USAGE}`;

const OPTIONS = {
  file: { type: 'string', short: 'f', default: '-' },
  output: { type: 'string', short: 'o', default: 'json' },
  lock: { type: 'string' },
  deprecations: { type: 'string' },
  ...REGISTRY_OPTIONS,
} as const;

/** Takes and prints what `opm alpha render-template semver` does. */
export async function run(args: string[], io: Io): Promise<number> {
  const values = parseOptions(args, OPTIONS, USAGE);
  const format = readFormat(values.output);
  const extra = values.deprecations === undefined ? {} : await readDeprecations(io, values.deprecations);
  if (values.lock !== undefined) {
    const state = await readState(io, values.file, values.lock);
    io.out(writeCatalog(renderReleased(state, extra.deprecations), format));
    return 0;
  }
  const file = values.file === '-' ? 'standard input' : values.file;
  const template = parseTemplate(await io.read(values.file), file);
  const pulled = await withRegistry(values, io, (client) => pullBundles(client, templateImages(template)));
  const bundles = new Map([...pulled].map(([image, { bundle }]) => [image, bundle]));
  io.out(writeCatalog(renderCatalog({ template, bundles, file, ...extra }), format));
  return 0;
}

function readFormat(output: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((known) => known === output);
  if (format === undefined)
    throw new UsageError(`--output is ${output}, not one of ${OUTPUT_FORMATS.join(', ')}`, USAGE);
  return format;
}
