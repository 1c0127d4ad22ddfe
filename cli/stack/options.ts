import { parseOptions } from '../options.ts';

export interface StackOptions {
  readonly stack: string;
  /** The configuration to use in place of `Pulumi.<stack>.yaml`. */
  readonly configFile?: string;
  /** What follows `--`, for Pulumi. */
  readonly forPulumi: readonly string[];
}

const OPTIONS = {
  stack: { type: 'string', short: 's', default: 'dev' },
  'config-file': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options of the commands that run a stack; undefined when only help was asked for. */
export function readStackOptions(args: readonly string[], usage: string): StackOptions | undefined {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { help, stack, 'config-file': configFile } = parseOptions(args.slice(0, end), OPTIONS, usage);
  if (help === true) return undefined;
  return { stack, forPulumi: args.slice(end + 1), ...(configFile === undefined ? {} : { configFile }) };
}
