import { type Command, Option } from '@commander-js/extra-typings';
import { OLM_RELEASES } from '../../components/olm/source.ts';
import { DEFAULT_OLM } from '../../components/olm/versions.ts';
import { OPEN_ENGINES } from '../../packages/api/engine.ts';
import type { Invocation } from './invocation.ts';
import { CA, fullVersion, PLAIN_HTTP } from './options.ts';

/** The command for sites that reach only their own registry. */
export function defineMirror(fleet: Command, { io, finish }: Invocation): void {
  fleet
    .command('mirror')
    .summary('Copy all that a fleet needs to a registry or a file.')
    .description(
      'Copies OLM, a catalog, its bundles and operators, the gateway and engines by digest, with their signatures and attestations, to a ' +
        'registry or an archive, and writes the settings that use the copies. Run again, it goes on where it was.',
    )
    .usage('--to REGISTRY|FILE.tar (--catalog-image IMAGE | --from FILE.tar) [options]')
    .requiredOption('--to <target>', 'registry with an optional path, or an archive that ends in .tar')
    .addOption(
      new Option('--from <file>', 'an archive that this command has written; everything in it is copied').conflicts([
        'catalogImage',
        'olmVersion',
        'olmManifest',
        'olm',
        'engine',
        'image',
      ]),
    )
    .option('--catalog-image <image>', 'the catalog; images of all versions in it are copied')
    .option('--verify <file>', 'public key that has to have signed the catalog')
    .addOption(new Option('--olm-version <version>', 'version of OLM').argParser(fullVersion).default(DEFAULT_OLM))
    .addOption(
      new Option('--olm-manifest <location>', "path or URL of OLM's manifest").default(
        OLM_RELEASES,
        "that of OLM's releases",
      ),
    )
    .option('--no-olm', 'leave OLM out: the cluster has one')
    .addOption(
      new Option('--engine <engine...>', 'engines whose images are copied, with the gateway')
        .choices(OPEN_ENGINES)
        .default([], 'none'),
    )
    .addOption(new Option('--image <image...>', 'further images, such as those of models').default([], 'none'))
    .option('--out <folder>', 'where the settings go', 'mirror')
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options) => finish(import('../commands/mirror.ts').then(({ run }) => run(options, io))));
}
