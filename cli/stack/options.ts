import { parseOptions } from '../options.ts';

export interface StackOptions {
  readonly stack: string;
  /** The configuration to use in place of `Pulumi.<stack>.yaml`. */
  readonly configFile?: string;
  /** What follows `--`, for Pulumi. */
  readonly forPulumi: readonly string[];
}

const OPTIONS = {
  stack: { type: 'string', short: 's' },
  'config-file': { type: 'string' },
} as const;

/** Options of the commands that run a stack. */
export function readStackOptions(
  args: readonly string[],
  usage: string,
  env: Readonly<Record<string, string | undefined>> = {},
): StackOptions {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { stack: named, 'config-file': configFile } = parseOptions(args.slice(0, end), OPTIONS, usage);
  // The variable by which `pulumi` is told its stack.
  const stack = named ?? env['PULUMI_STACK'] ?? 'dev';
  return { stack, forPulumi: args.slice(end + 1), ...(configFile === undefined ? {} : { configFile }) };
}
