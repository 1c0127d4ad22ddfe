import { checkout } from '../../packages/lib/checkout.ts';
import { refuse } from '../../packages/lib/problem.ts';
import type { Io } from '../io.ts';
import { findBackend, withTemporaryState } from './backend.ts';
import { checkState, type StateUse } from './check-state.ts';
import { executeProcess } from './execute.ts';
import type { EnvironmentOptions } from './options.ts';
import {
  type PulumiRun,
  pulumi,
  pulumiOnExisting,
  pulumiOutputs,
  pulumiPreview,
  pulumiState,
  pulumiVariables,
} from './pulumi.ts';
import { openEnvironmentFile, type EnvironmentFile } from './environment-file.ts';

type RunPulumi = (args: readonly string[]) => Promise<void>;

/** What a command that runs an environment has to work with. */
export interface EnvironmentRun {
  readonly io: Io;
  readonly checkout: string;
  readonly environment: string;
  readonly file: EnvironmentFile;
  /** Arguments to pass on to Pulumi. */
  readonly forPulumi: readonly string[];
  /** The variables that Pulumi runs with for the environment. */
  readonly variables: () => Readonly<Record<string, string | undefined>>;
  /** Runs `pulumi` for the environment, which is made where it does not exist yet. */
  readonly pulumi: RunPulumi;
  /** The same for an environment that must exist. */
  readonly pulumiOnExisting: RunPulumi;
  /** What `pulumi preview --json` prints, with the same arguments. */
  readonly previewNow: () => Promise<string>;
  /** The record of the preview that is to be applied, and nothing else. */
  readonly previewed: string | undefined;
  /** Runs a command of `pulumi` about the environment's state alone. */
  readonly pulumiState: RunPulumi;
  /** The program's outputs from the last update. */
  readonly outputs: () => Promise<unknown>;
}

/** What all commands that run an environment share; `work` is where they differ. */
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
  { environment, forPulumi, previewed }: EnvironmentOptions,
  file: EnvironmentFile,
  state: ReturnType<EnvironmentRun['variables']> = {},
): EnvironmentRun {
  const variables = (): ReturnType<EnvironmentRun['variables']> => ({ ...pulumiVariables(io.env, file), ...state });
  // Variables are read when Pulumi runs: the cluster may have been started before.
  const inThisRun = (): PulumiRun => ({ checkout, environment, configuration: file.text, env: variables() });
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
    variables,
    pulumi: running(pulumi),
    pulumiOnExisting: running(pulumiOnExisting),
    pulumiState: running(pulumiState),
    previewNow: () => pulumiPreview(executeProcess, inThisRun(), forPulumi),
    previewed,
    outputs: () => pulumiOutputs(inThisRun()),
  };
}
