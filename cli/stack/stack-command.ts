import { checkout } from '../../packages/lib/checkout.ts';
import { refuse } from '../../packages/lib/problem.ts';
import type { Io } from '../io.ts';
import { findBackend, withTemporaryState } from './backend.ts';
import { checkState, type StateUse } from './check-state.ts';
import { executeProcess } from './execute.ts';
import { readStackOptions, type StackOptions } from './options.ts';
import { pulumi, pulumiEnvironment, pulumiOnExisting, pulumiState } from './pulumi.ts';
import { readStackFile, type StackFile } from './stack-file.ts';

type RunPulumi = (args: readonly string[]) => Promise<void>;

/** What a command that runs a stack has to work with. */
export interface StackRun {
  readonly io: Io;
  readonly checkout: string;
  readonly stack: string;
  readonly file: StackFile;
  /** What the person wants to be passed on to Pulumi. */
  readonly forPulumi: readonly string[];
  /** The environment in which Pulumi runs for the stack. */
  readonly pulumiEnv: () => Readonly<Record<string, string | undefined>>;
  /** Runs `pulumi` for the stack, which is made where it does not exist yet. */
  readonly pulumi: RunPulumi;
  /** The same for a stack that exists. */
  readonly pulumiOnExisting: RunPulumi;
  /** Runs a command of `pulumi` about the stack's state alone. */
  readonly pulumiState: RunPulumi;
}

/** A command with the options of a stack, around the work that makes it differ from its neighbours. */
export function stackCommand(
  usage: string,
  use: StateUse,
  work: (run: StackRun) => Promise<void>,
): (args: string[], io: Io) => Promise<number> {
  return async (args, io) => {
    const options = readStackOptions(args, usage, io.env);
    const file = await readStackFile(io, checkout, options);
    const backend = findBackend(io.env, file);
    // Before anything is built or started for the command.
    refuse(checkState(use, { stack: options.stack, ...file }, backend, io.env));
    if (use === 'optional' && backend.kind === 'none') {
      io.err(`${describeNone(options.stack)}\n`);
      await withTemporaryState(io.env, (state) => work(runOf(io, options, file, state)));
    } else await work(runOf(io, options, file));
    return 0;
  };
}

function describeNone(stack: string): string {
  return `Nobody has chosen where the state of stack ${stack} is kept (\`pulumi login\`, or PULUMI_BACKEND_URL): this preview is that of a new stack.`;
}

function runOf(
  io: Io,
  { stack, forPulumi }: StackOptions,
  file: StackFile,
  state: ReturnType<StackRun['pulumiEnv']> = {},
): StackRun {
  const pulumiEnv = (): ReturnType<StackRun['pulumiEnv']> => ({ ...pulumiEnvironment(io.env, file), ...state });
  // The environment is read when Pulumi runs: the cluster may have been started before.
  const running =
    (runPulumi: typeof pulumi): RunPulumi =>
    (args) =>
      runPulumi(executeProcess, { checkout, stack, configuration: file.text, env: pulumiEnv() }, args);
  return {
    io,
    checkout,
    stack,
    file,
    forPulumi,
    pulumiEnv,
    pulumi: running(pulumi),
    pulumiOnExisting: running(pulumiOnExisting),
    pulumiState: running(pulumiState),
  };
}
