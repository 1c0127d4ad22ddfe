import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Stream } from '../../components/catalog/template.ts';
import { PACKAGE } from '../../packages/api/operator-names.ts';
import { DEV_TEMPLATE } from '../commands/catalog/committed.ts';
import { refuseIdle } from './fleet-command.ts';
import type { Invocation } from './invocation.ts';
import {
  CA,
  CATALOG_DEPRECATIONS,
  CATALOG_LOCK,
  CATALOG_TEMPLATE,
  CLUSTER_OF,
  CONTEXT,
  CRD_VERSION,
  KUBECONFIG,
  OPTIONAL_VERSION,
  OUTPUT,
  PLAIN_HTTP,
  VERSION,
} from './options.ts';

/** The commands that work on catalogs. */
export function defineCatalogCommands(fleet: Command, invocation: Invocation): void {
  const catalog = fleet
    .command('catalog')
    .summary('Render, release, publish and show catalogs.')
    .usage('<command> [options]')
    .helpCommand(false);
  defineReading(catalog, invocation);
  defineReleasing(catalog, invocation);
}

function defineReading(catalog: Command, { io, finish }: Invocation): void {
  catalog
    .command('render')
    .summary('Print the catalog that a template stands for.')
    .description('Prints the catalog that a template stands for, as `opm alpha render-template semver` does.')
    .option('-f, --file <file>', 'olm.semver template; - is standard input', '-')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['json', 'yaml', 'mermaid'] as const).default('json'),
    )
    .addOption(
      new Option('--lock <file>', 'take bundles from this lock, and refuse what contradicts it').conflicts([
        'plainHttp',
        'ca',
      ]),
    )
    .option('--deprecations <file>', 'add the olm.deprecations of this file')
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options) => finish(import('../commands/catalog/render.ts').then(({ run }) => run(options, io))));

  catalog
    .command('graph')
    .summary('Write the upgrade graph as a page.')
    .description('Writes a page that shows the upgrades between released versions.')
    .option('--write <file>', 'write the page there instead of printing it')
    .action((options) => finish(import('../commands/catalog/graph.ts').then(({ run }) => run(options, io))));

  catalog
    .command('show')
    .summary('Show what a running catalogd serves.')
    .description('Shows channels and versions of a package, as the running catalogd serves them.')
    .option('--name <catalog>', 'ClusterCatalog to ask; default: all that have the package')
    .option('--package <name>', 'package to list', PACKAGE)
    .addOption(CLUSTER_OF)
    .addOption(KUBECONFIG)
    .addOption(CONTEXT)
    .addOption(OUTPUT)
    .action((options) => finish(import('../commands/catalog/show.ts').then(({ run }) => run(options, io))));
}

function defineReleasing(catalog: Command, { io, finish }: Invocation): void {
  catalog
    .command('add')
    .summary('Release a version whose bundle is pushed.')
    .description('Releases a version: its digest and content are recorded, and never change after that.')
    .usage('--version VERSION [options]')
    .addOption(OPTIONAL_VERSION)
    .addOption(
      new Option('--image <image>', 'the pushed bundle; default: IMAGE_TAG_BASE-bundle:VERSION').conflicts('version'),
    )
    .addOption(
      new Option('--channels <list>', 'streams that get it: candidate, fast, stable')
        .argParser(readStreams)
        .default<Stream[]>(['Candidate'], 'candidate'),
    )
    .addOption(CATALOG_TEMPLATE)
    .addOption(CATALOG_LOCK)
    .addOption(CATALOG_DEPRECATIONS)
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options, command) => {
      const { version, image } = options;
      const bundle =
        image === undefined
          ? { version: version ?? command.error("required option '--version <version>' not specified") }
          : { image };
      return finish(import('../commands/catalog/add.ts').then(({ run }) => run({ ...options, bundle }, io)));
    });

  catalog
    .command('promote')
    .summary('Move a version on to the next stream.')
    .description('Moves a released version on: from candidate to fast, from fast to stable.')
    .usage('--version VERSION [options]')
    .addOption(VERSION)
    .addOption(CATALOG_TEMPLATE)
    .addOption(CATALOG_LOCK)
    .addOption(CATALOG_DEPRECATIONS)
    .action((options) => finish(import('../commands/catalog/promote.ts').then(({ run }) => run(options, io))));

  catalog
    .command('withdraw')
    .summary('Tell clusters to leave a version.')
    .description('Deprecates a released version, with the reason and where to go. It stays installable.')
    .usage('--version VERSION --reason REASON [options]')
    .requiredOption('--version <version>', 'the version, such as v3.0.0')
    .requiredOption('--reason <sentence>', 'what is wrong with it, for those who run it')
    .addOption(CATALOG_TEMPLATE)
    .addOption(CATALOG_LOCK)
    .addOption(CATALOG_DEPRECATIONS)
    .action((options) => finish(import('../commands/catalog/withdraw.ts').then(({ run }) => run(options, io))));

  catalog
    .command('check')
    .summary('Refuse what contradicts a release.')
    .description('Refuses a catalog that removes, changes, re-tags or demotes a release.')
    .option('--base <revision>', 'also compare with the lock of a git revision, such as origin/main')
    .option('--registry', 'also ask the registry whether each tag still is the released image')
    .addOption(CATALOG_TEMPLATE)
    .addOption(CATALOG_LOCK)
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options, command) => {
      const { registry, ca, plainHttp } = options;
      refuseIdle(command, registry === true, '--registry', { '--ca': ca, '--plain-http': plainHttp });
      return finish(import('../commands/catalog/check.ts').then(({ run }) => run(options, io)));
    });

  catalog
    .command('push')
    .summary('Build and push the catalog image.')
    .description('Builds and pushes the catalog image. Everything is checked before anything is pushed.')
    .option('--tag <tag>', 'tag of the catalog image; default: latest, with --dev checkout')
    .option('--dev', 'the development catalog: each version of its template is built from this checkout')
    .option('--template <file>', 'template of the development catalog', DEV_TEMPLATE)
    .addOption(CRD_VERSION)
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options, command) => {
      const template = command.getOptionValueSource('template') === 'cli' ? options.template : undefined;
      refuseIdle(command, options.dev === true, '--dev', { '--template': template });
      return finish(import('../commands/catalog/push.ts').then(({ run }) => run(options, io)));
    });
}

const STREAMS: Readonly<Record<Lowercase<Stream>, Stream>> = { candidate: 'Candidate', fast: 'Fast', stable: 'Stable' };

function readStreams(text: string): Stream[] {
  return text.split(',').map((word) => {
    const found = Object.entries(STREAMS).find(([name]) => name === word.trim().toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(`Use ${Object.keys(STREAMS).join(', ')}.`);
    return found[1];
  });
}
