import { UsageError } from '../command.ts';
import type { Io } from '../io.ts';
import { parseOptions } from '../options.ts';
import { renderComment } from '../preview/comment.ts';
import { isGood, readOutcome } from '../preview/outcome.ts';

const USAGE = `Usage: fleet preview-comment --stack NAME --preview FILE [--events FILE] [--limit N]

Turns a preview into Markdown for a pull request, on standard output. Exits with 1 where the preview failed, was refused
or cannot be read, which the comment says as well.

  --stack NAME     the stack, as the comment names it
  --preview FILE   output of pulumi preview --json; - is standard input
  --events FILE    event log of the same preview (PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log FILE):
                   what policies said
  --limit N        the most characters; default 65000, just below what GitHub takes`;

/** GitHub refuses comments above 65536 characters. */
const DEFAULT_LIMIT = 65_000;

/** `fleet preview-comment` */
export async function run(args: string[], io: Io): Promise<number> {
  const { stack, preview, events, limit } = parseOptions(args, OPTIONS, USAGE);
  if (stack === undefined || preview === undefined) throw new UsageError('--stack and --preview are needed.', USAGE);
  const most = readLimit(limit);
  const outcome = await readOutcome({ preview, events }, (file) => io.read(file));
  io.out(renderComment({ stack, outcome, limit: most }));
  return isGood(outcome) ? 0 : 1;
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1000) return limit;
  throw new UsageError(`--limit is ${text}: use a whole number of at least 1000.`, USAGE);
}

const OPTIONS = {
  stack: { type: 'string' },
  preview: { type: 'string' },
  events: { type: 'string' },
  limit: { type: 'string' },
} as const;
