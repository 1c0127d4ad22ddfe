import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Invocation } from './invocation.ts';

/** GitHub refuses comments above 65536 characters. */
const DEFAULT_LIMIT = 65_000;

/** The command that CI runs after a preview. */
export function definePreviewComment(fleet: Command, { io, finish }: Invocation): void {
  fleet
    .command('preview-comment')
    .summary('Turn a preview into Markdown for a pull request.')
    .description(
      'Turns a preview into Markdown for a pull request, on standard output. Exits with 1 where the preview' +
        ' failed, was refused or cannot be read, which the comment says as well.',
    )
    .usage('-e NAME --preview FILE [options]')
    .requiredOption('-e, --environment <name>', 'the environment, as the comment names it')
    .requiredOption('--preview <file>', 'output of pulumi preview --json; - is standard input')
    .option(
      '--events <file>',
      'event log of the same preview, which has what policies said (PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log FILE)',
    )
    .option('--record <file>', 'also write what would change, for `fleet up --previewed`; not where the preview failed')
    .addOption(
      new Option('--limit <count>', 'the most characters')
        .argParser(readLimit)
        .default(DEFAULT_LIMIT, 'what GitHub takes'),
    )
    .action((options) => finish(import('../commands/preview-comment.ts').then(({ run }) => run(options, io))));
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1000) return limit;
  throw new InvalidArgumentError('Use a whole number of at least 1000.');
}
