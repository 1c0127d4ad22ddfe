import { parseArgs, type ParseArgsConfig } from 'node:util';
import { HelpRequest, UsageError } from './command.ts';
import { messageOf } from '../packages/lib/error.ts';

/** Reads a command's options, of which every one has `--help`; what it does not know is a UsageError. */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
  usage: string,
): ReturnType<typeof parseArgs<{ args: string[]; options: T }>>['values'] {
  if (args.includes('--help') || args.includes('-h')) throw new HelpRequest(usage);
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(messageOf(error), usage);
  }
}

/** An option that a command cannot do without. */
export function required(value: string | undefined, name: string, usage: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`, usage);
  return value;
}
