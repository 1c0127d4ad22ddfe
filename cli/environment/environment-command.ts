import { checkout } from '../../packages/lib/checkout.ts';
import { refuse } from '../../packages/lib/problem.ts';
import type { Io } from '../io.ts';
import { findBackend, withTemporaryState } from './backend.ts';
import { checkState, type StateUse } from './check-state.ts';
import { executeProcess } from './execute.ts';
import type { EnvironmentOptions } from './options.ts';
import { type PulumiRun, pulumi, pulumiOnExisting, pulumiOutputs, pulumiState, pulumiVariables } from './pulumi.ts';
import { openEnvironmentFile, type EnvironmentFile } from './environment-file.ts';

type RunPulumi = (args: readonly string[]) => Promise<void>;

/** What a command that runs an environment has to work with. */
export interface EnvironmentRun {
  readonly io: Io;
  readonly checkout: string;
  readonly environment: string;
  readonly file: EnvironmentFile;
  /** What the person wants to be passed on to Pulumi. */
  readonly forPulumi: readonly string[];
  /** The environment in which Pulumi runs for the environment. */
  readonly pulumiEnv: () => Readonly<Record<string, string | undefined>>;
  /** Runs `pulumi` for the environment, which is made where it does not exist yet. */
  readonly pulumi: RunPulumi;
  /** The same for an environment that exists. */
  readonly pulumiOnExisting: RunPulumi;
  /** Runs a command of `pulumi` about the environment's state alone. */
  readonly pulumiState: RunPulumi;
  /** What the program has said about the environment at its last update. */
  readonly outputs: () => Promise<unknown>;
}

/** A command that runs an environment, around the work that makes it differ from its neighbours. */
export function environmentCommand(
  use: StateUse,
  work: (run: EnvironmentRun) => Promise<void>,
): (options: EnvironmentOptions, io: Io) => Promise<number> {
  return async (options, io) => {
    const file = await openEnvironmentFile(io, checkout, options);
    const backend = findBackend(io.env, file);
    // Before anything is built or started for the command.
    refuse(checkState(use, { environment: options.environment, ...file }, backend, io.env));
    if (use === 'optional' && backend.kind === 'none') {
      io.err(`${describeNone(options.environment)}\n`);
      await withTemporaryState(io.env, (state) => work(runOf(io, options, file, state)));
    } else await work(runOf(io, options, file));
    return 0;
  };
}

function describeNone(environment: string): string {
  return `Nobody has chosen where the state of environment ${environment} is kept (\`pulumi login\`, or PULUMI_BACKEND_URL): this preview shows a new environment.`;
}

function runOf(
  io: Io,
  { environment, forPulumi }: EnvironmentOptions,
  file: EnvironmentFile,
  state: ReturnType<EnvironmentRun['pulumiEnv']> = {},
): EnvironmentRun {
  const pulumiEnv = (): ReturnType<EnvironmentRun['pulumiEnv']> => ({ ...pulumiVariables(io.env, file), ...state });
  // The environment is read when Pulumi runs: the cluster may have been started before.
  const inThisRun = (): PulumiRun => ({ checkout, environment, configuration: file.text, env: pulumiEnv() });
  const running =
    (runPulumi: typeof pulumi): RunPulumi =>
    (args) =>
      runPulumi(executeProcess, inThisRun(), args);
  return {
    io,
    checkout,
    environment,
    file,
    forPulumi,
    pulumiEnv,
    pulumi: running(pulumi),
    pulumiOnExisting: running(pulumiOnExisting),
    pulumiState: running(pulumiState),
    outputs: () => pulumiOutputs(inThisRun()),
  };
}
