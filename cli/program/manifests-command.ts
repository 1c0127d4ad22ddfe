import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { SemVer } from 'semver';
import { parseReleaseVersion } from '../../components/catalog/version.ts';
import type { Operator } from '../../components/fleet/operator.ts';
import { DEFAULT_OLM } from '../../components/olm/versions.ts';
import { STREAMS } from '../../packages/api/channels.ts';
import type { Invocation } from './invocation.ts';
import { CA, fullVersion, PLAIN_HTTP } from './options.ts';

/** The command for those who install a fleet without Pulumi. */
export function defineManifests(fleet: Command, { io, finish }: Invocation): void {
  fleet
    .command('manifests')
    .summary('Print a fleet as YAML, for a cluster without Pulumi.')
    .description(
      'Prints all that an environment installs into a cluster with OLM, for `kubectl apply --server-side -f -`. Name every ' +
        'operator of the cluster. Rights are those that the chosen bundles of the catalog need.',
    )
    .usage('--catalog-image IMAGE --operator MAJOR... [options]')
    .requiredOption('--catalog-image <image>', 'the catalog, as REPOSITORY@sha256:DIGEST')
    .option('--verify <file>', "the makers' public key; a catalog that they have not signed is refused")
    .addOption(
      new Option('--catalog-name <name>', 'name of the ClusterCatalog')
        .argParser(labelName)
        .default('inference-stack-catalog'),
    )
    .addOption(
      new Option('--operator <operator>', 'MAJOR[:CHANNEL[:VERSION]], such as 3 or 3:fast:3.1.x; repeatable')
        .argParser(readOperators)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--installed <version>', 'a version that the cluster has, which is upgraded; repeatable').argParser(
        readVersions,
      ),
    )
    .addOption(
      new Option('--rollback-to <version>', 'an earlier version to go back to; repeatable').argParser(readVersions),
    )
    .addOption(
      new Option('--olm-version <version>', 'the OLM of the cluster').argParser(fullVersion).default(DEFAULT_OLM),
    )
    .option('--model-orchestra', 'also serve the earlier kind, ModelOrchestra')
    .option('--pull-secret <file>', "Docker config with the registry's credentials; it is part of the output")
    .addOption(
      new Option('--guards [action]', 'also admission policies; default: deny')
        .choices(['deny', 'warn'] as const)
        .preset('deny'),
    )
    .addOption(PLAIN_HTTP)
    .addOption(CA)
    .action((options) => finish(import('../commands/manifests.ts').then(({ run }) => run(options, io))));
}

const OPERATOR = /^(?:v?)(0|[1-9]\d{0,3})(?::([a-z]+)(?::(.+))?)?$/;

function readOperators(text: string, others: readonly Operator[] | undefined): readonly Operator[] {
  const [, major, word = 'stable', version] = OPERATOR.exec(text) ?? [];
  const channel = STREAMS.find((stream) => stream === word);
  if (major === undefined || channel === undefined) {
    throw new InvalidArgumentError(`Use MAJOR[:CHANNEL[:VERSION]], with a channel of ${STREAMS.join(', ')}.`);
  }
  return [...(others ?? []), { major: Number(major), channel, ...(version === undefined ? {} : { version }) }];
}

function readVersions(text: string, others: readonly SemVer[] | undefined): readonly SemVer[] {
  const version = parseReleaseVersion(text);
  if (version === undefined) throw new InvalidArgumentError('Use a full version such as 3.0.0.');
  return [...(others ?? []), version];
}

function labelName(text: string): string {
  if (text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError('Use a name of lower-case letters, digits and dashes.');
}
