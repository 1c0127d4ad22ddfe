/** The options of commands that run an environment. */
export interface EnvironmentOptions {
  readonly environment: string;
  /** The settings to use in place of `Pulumi.<environment>.yaml`. */
  readonly configFile?: string | undefined;
  /** The record of the preview that is to be applied, and nothing else. */
  readonly previewed?: string | undefined;
  /** What follows `--`, for Pulumi. */
  readonly forPulumi: readonly string[];
}
