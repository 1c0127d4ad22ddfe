import { type Command, Option } from '@commander-js/extra-typings';
import { CHARTS } from '../migrate/charts.ts';
import type { Invocation } from './invocation.ts';
import { FILES, NAMESPACE, namespaceName, OPERATOR_VERSION } from './options.ts';

const USAGE = '-f FILE... [options]';

/** The commands that look at InferenceStacks in files, or write one. */
export function defineStackCommands(fleet: Command, { io, finish }: Invocation): void {
  fleet
    .command('render')
    .summary('Print the objects that an InferenceStack stands for.')
    .description(
      'Prints the objects that the operator makes for the InferenceStacks of the files. Where one is not ' +
        'valid, all problems are reported on standard error, and nothing is printed.',
    )
    .usage(USAGE)
    .addOption(FILES)
    .addOption(NAMESPACE)
    .addOption(OPERATOR_VERSION)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json'] as const).default('yaml'))
    .option('--assigned-ids', 'as on a platform that gives pods their user and group, such as OpenShift')
    .action((options) => finish(import('../commands/render.ts').then(({ run }) => run(options, io))));

  fleet
    .command('explain')
    .summary('Say what will run for an InferenceStack, where and why.')
    .description(
      'Says in a few lines what will run for the InferenceStacks of the files, where and why; and what the API server or the ' +
        'kubelet would refuse, with file and line.',
    )
    .usage(USAGE)
    .addOption(FILES)
    .addOption(NAMESPACE)
    .addOption(OPERATOR_VERSION)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json'] as const).default('text'))
    .action((options) => finish(import('../commands/explain.ts').then(({ run }) => run(options, io))));

  fleet
    .command('migrate')
    .summary("Turn a chart's values into an InferenceStack.")
    .description(
      'Turns the values of a release of the public chart into an InferenceStack, and says on standard error what they say that a ' +
        'stack cannot. Several files are laid over each other, as Helm does.',
    )
    .usage('--values FILE... [options]')
    .requiredOption('-f, --values <file...>', 'files with values; - is standard input')
    .addOption(new Option('--chart <version>', 'version of the chart; else by the keys of the values').choices(CHARTS))
    .option('--name <name>', 'name of the stack: that of the release keeps its claims', 'inference-stack')
    .addOption(
      new Option('-n, --namespace <name>', 'namespace of the stack; else it names none').argParser(namespaceName),
    )
    .option('--operator-version <request>', 'which operator serves it, such as v3 or 3.2', 'v3')
    .action((options) => finish(import('../commands/migrate.ts').then(({ run }) => run(options, io))));
}
