import { resolve } from 'node:path';
import { checkout } from '../../cluster/tools/places.ts';
import type { Io } from '../io.ts';
import { executeProcess } from './execute.ts';
import { readStackOptions } from './options.ts';
import { pulumi, pulumiEnvironment } from './pulumi.ts';
import { readStackFile, type StackFile } from './stack-file.ts';

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
  /** Runs `pulumi` for the stack. Its environment is read when it runs: the cluster may have been started before. */
  readonly pulumi: (args: readonly string[]) => Promise<void>;
}

/** A command with the options of a stack, around the work that makes it differ from its neighbours. */
export function stackCommand(
  usage: string,
  work: (run: StackRun) => Promise<void>,
): (args: string[], io: Io) => Promise<number> {
  return async (args, io) => {
    const options = readStackOptions(args, usage);
    if (options === undefined) {
      io.out(`${usage}\n`);
      return 0;
    }
    const { stack, configFile, forPulumi } = options;
    const file = await readStackFile(io, checkout, options);
    const config = configFile === undefined ? [] : ['--config-file', resolve(checkout, configFile)];
    const pulumiEnv = (): ReturnType<StackRun['pulumiEnv']> => pulumiEnvironment(io.env, file);
    await work({
      io,
      checkout,
      stack,
      file,
      forPulumi,
      pulumiEnv,
      pulumi: (words) => pulumi(executeProcess, { checkout, stack, env: pulumiEnv() }, [...words, ...config]),
    });
    return 0;
  };
}
