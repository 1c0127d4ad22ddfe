import { type Command, Option } from '@commander-js/extra-typings';
import type { Invocation } from './invocation.ts';
import { FILES, NAMESPACE, OPERATOR_VERSION } from './options.ts';

const USAGE = '-f FILE... [options]';

/** The commands that look at InferenceStacks in files. */
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
    .action((options) => finish(import('../commands/render.ts').then(({ run }) => run(options, io))));

  fleet
    .command('explain')
    .summary('Say what will run for an InferenceStack, where and why.')
    .description('Says in a few lines what will run for the InferenceStacks of the files, where and why.')
    .usage(USAGE)
    .addOption(FILES)
    .addOption(NAMESPACE)
    .addOption(OPERATOR_VERSION)
    .action((options) => finish(import('../commands/explain.ts').then(({ run }) => run(options, io))));
}
