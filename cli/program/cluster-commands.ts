import { type Command, Option } from '@commander-js/extra-typings';
import type { Invocation } from './invocation.ts';
import { CLUSTER_OF, CONTEXT, KUBECONFIG, namespaceName, OUTPUT } from './options.ts';

/** The commands that look at a live cluster. */
export function defineClusterCommands(fleet: Command, { io, finish }: Invocation): void {
  fleet
    .command('status')
    .summary('Show operators, stacks, GPUs and what needs attention.')
    .description(
      'Shows catalogs, operators, stacks, GPUs and certificates. Exits with 1 when something needs ' +
        'attention. What you may not read is left out, and the report says so.',
    )
    .addOption(CLUSTER_OF)
    .addOption(KUBECONFIG)
    .addOption(CONTEXT)
    .addOption(
      new Option('-n, --namespace <name>', 'show the stacks of this namespace only')
        .argParser(namespaceName)
        .conflicts('allNamespaces'),
    )
    .option('-A, --all-namespaces', 'show the stacks of all namespaces, as without -n')
    .addOption(OUTPUT)
    .action((options) => finish(import('../commands/status.ts').then(({ run }) => run(options, io))));

  fleet
    .command('audit')
    .summary('Judge a live cluster by the rules of the policy pack.')
    .description('Judges a live cluster by the rules of the policy pack. Exits with 1 when a mandatory rule is broken.')
    .addOption(CLUSTER_OF)
    .addOption(KUBECONFIG)
    .addOption(CONTEXT)
    .addOption(
      new Option('--stage <stage>', 'whose levels hold; default: those of the environment, else of prod').choices([
        'prod',
        'dev',
      ] as const),
    )
    .option('--config <file>', "levels and settings, as for Pulumi's --policy-pack-config")
    .addOption(OUTPUT)
    .action((options) => finish(import('../commands/audit.ts').then(({ run }) => run(options, io))));

  fleet
    .command('impact')
    .summary('Say what an upgrade would do to the stacks that run.')
    .description(
      'Asks the version that each installed operator would get what it would make of every InferenceStack, and compares that with ' +
        'what the cluster has. Exits with 1 when stacks would be refused, or when the answer is not known. Specs stay on this machine.',
    )
    .usage('-e NAME [options]')
    .requiredOption('-e, --environment <name>', 'the environment, with its cluster and its catalog')
    .option('--config <file>', 'settings to use in place of Pulumi.NAME.yaml, such as those of a pull request')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['table', 'json'] as const).default('table'))
    .action((options) => finish(import('../commands/impact.ts').then(({ run }) => run(options, io))));

  fleet
    .command('api-versions')
    .summary('Show which API versions are served, stored and written.')
    .description(
      'Shows which versions of the API the cluster serves, which ones objects are stored in, and who writes through which. ' +
        'With --rewrite it stores every object in the version of today first.',
    )
    .addOption(CLUSTER_OF)
    .addOption(KUBECONFIG)
    .addOption(CONTEXT)
    .option('--rewrite', 'write every object as it is, so that nothing is stored in an earlier version')
    .action((options) => finish(import('../commands/api-versions.ts').then(({ run }) => run(options, io))));
}
