import type { Command } from '@commander-js/extra-typings';
import type { Invocation } from './invocation.ts';
import { CA, CRD_VERSION, PLAIN_HTTP, VERSION } from './options.ts';

/** The commands that make an operator version's bundle. */
export function defineBundleCommands(fleet: Command, { io, finish }: Invocation): void {
  const bundle = fleet
    .command('bundle')
    .summary("Write or publish an operator version's bundle.")
    .usage('<command> [options]')
    .helpCommand(false);

  bundle
    .command('write')
    .summary("Write a version's bundle directory.")
    .description(
      'Writes manifests, metadata and Dockerfile of a bundle, as `operator-sdk generate bundle` would: of this checkout with ' +
        '--controller-image, else of the version as it was released.',
    )
    .usage('--version VERSION [--controller-image IMAGE] [options]')
    .addOption(VERSION)
    .addOption(CRD_VERSION)
    .option('--controller-image <image>', 'the pushed controller; a tag is replaced by its digest')
    .option('--channels <list>', "channels that the bundle's labels recommend")
    .option('--default-channel <name>', 'the default one of them')
    .option('--community', 'write it as repositories of community operators keep it: operators/PACKAGE/VERSION')
    .option('-d, --directory <folder>', 'where to write (default: dist/bundle, or dist/community)')
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options) => finish(import('../commands/bundle/write.ts').then(({ run }) => run(options, io))));

  bundle
    .command('push')
    .summary('Build and push the controller and its bundle.')
    .description(
      'Builds and pushes the controller, then the bundle that names it by digest. It reads IMAGE_TAG_BASE, ' +
        'IMAGE_PLATFORMS, BASE_IMAGE, BUILDKIT_HOST, PROVENANCE=1, SBOM=1 and SBOM_SCANNER.',
    )
    .usage('--version VERSION [options]')
    .addOption(VERSION)
    .addOption(CRD_VERSION)
    .option('--dev', "push to the embedded cluster's registry unless IMAGE_TAG_BASE is set")
    .action((options) => finish(import('../commands/bundle/push.ts').then(({ run }) => run(options, io))));
}
