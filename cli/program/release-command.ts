import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { PARTS, type Part } from '../../components/catalog/parts.ts';
import { STREAMS, type Stream } from '../../components/catalog/template.ts';
import type { Invocation } from './invocation.ts';
import { CA, CRD_VERSION, PLAIN_HTTP, VERSION } from './options.ts';

/** The command that makes a release. */
export function defineRelease(fleet: Command, { io, finish }: Invocation): void {
  fleet
    .command('release')
    .summary('Release this checkout as a version.')
    .description(
      'Compares this checkout with the release before, pushes operator, bundle and catalog, signs them, records and commits what was released, writes the ' +
        'notes and tags. Killed and run again, it ends the same. It reads IMAGE_TAG_BASE, IMAGE_PLATFORMS, BASE_IMAGE, BUILDKIT_HOST, PROVENANCE, SBOM, ' +
        'SBOM_SCANNER, COSIGN_KEY, COSIGN_PUBLIC_KEY and COSIGN_PASSWORD.',
    )
    .usage('--version VERSION [options]')
    .addOption(VERSION)
    .addOption(
      new Option('--channel <name>', 'stream that gets it: candidate, fast, stable')
        .argParser(readStream)
        .default<Stream>('Candidate', 'candidate'),
    )
    .addOption(
      new Option('--only <part>', 'release a part by itself').choices([
        'controller',
        ...(Object.keys(PARTS) as Part[]),
      ] as const),
    )
    .option('--unsigned', 'sign nothing')
    .addOption(CRD_VERSION)
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options) => finish(import('../commands/release.ts').then(({ run }) => run(options, io))));
}

function readStream(text: string): Stream {
  const found = STREAMS.find((stream) => stream.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new InvalidArgumentError(`Use ${STREAMS.join(', ').toLowerCase()}.`);
  return found;
}
