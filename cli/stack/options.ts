import { parseOptions } from '../options.ts';

export interface StackOptions {
  readonly stack: string;
  /** What follows `--`, for Pulumi. */
  readonly forPulumi: readonly string[];
}

const OPTIONS = {
  stack: { type: 'string', short: 's', default: 'dev' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options of the commands that run a stack; undefined when only help was asked for. */
export function readStackOptions(args: readonly string[], usage: string): StackOptions | undefined {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { help, stack } = parseOptions(args.slice(0, end), OPTIONS, usage);
  return help === true ? undefined : { stack, forPulumi: args.slice(end + 1) };
}
