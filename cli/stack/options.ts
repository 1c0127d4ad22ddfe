import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

/** Options of the commands that run a stack; undefined when only help was asked for. */
export function readStackOptions(args: string[], usage: string): { readonly stack: string } | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: { stack: { type: 'string', short: 's', default: 'dev' }, help: { type: 'boolean', short: 'h' } },
    });
    return values.help === true ? undefined : { stack: values.stack };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage);
  }
}
