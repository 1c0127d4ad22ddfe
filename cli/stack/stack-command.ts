import { checkout } from '../../cluster/tools/places.ts';
import type { Io } from '../io.ts';
import { executeProcess } from './execute.ts';
import { readStackOptions } from './options.ts';
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
  work: (run: StackRun) => Promise<void>,
): (args: string[], io: Io) => Promise<number> {
  return async (args, io) => {
    const options = readStackOptions(args, usage, io.env);
    if (options === undefined) {
      io.out(`${usage}\n`);
      return 0;
    }
    const { stack, forPulumi } = options;
    const file = await readStackFile(io, checkout, options);
    const pulumiEnv = (): ReturnType<StackRun['pulumiEnv']> => pulumiEnvironment(io.env, file);
    // The environment is read when Pulumi runs: the cluster may have been started before.
    const running =
      (runPulumi: typeof pulumi): RunPulumi =>
      (args) =>
        runPulumi(executeProcess, { checkout, stack, configuration: file.text, env: pulumiEnv() }, args);
    await work({
      io,
      checkout,
      stack,
      file,
      forPulumi,
      pulumiEnv,
      pulumi: running(pulumi),
      pulumiOnExisting: running(pulumiOnExisting),
      pulumiState: running(pulumiState),
    });
    return 0;
  };
}
