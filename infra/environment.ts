import { describeCluster, type ClusterDescription } from './cluster/describe-cluster.ts';
import type { Problem } from '../packages/lib/problem.ts';
import { loadSettings, type ConfigMap } from './config/load.ts';
import type { Settings } from './config/schema.ts';
import type { Log } from './log.ts';

/** What the program gets from its caller. */
export interface ProgramContext {
  /** The name of the environment, which Pulumi calls a stack. */
  readonly environment: string;
  readonly config: ConfigMap;
  /** The file that it is from, where that is not the environment's own. */
  readonly settingsFile?: string | undefined;
  /** The checkout that the program is part of. */
  readonly checkout: string;
  readonly preview: boolean;
  readonly log: Log;
  /** What is wrong with the packed controller that goes into the operator's image; left out where no image is really built. */
  readonly checkController?: (checkout: string) => readonly Problem[];
  /** The current time, for issuing and checking certificates. */
  readonly now: Date;
}

/** An environment's settings, and its cluster. */
export interface Environment {
  /** What Pulumi calls it. */
  readonly name: string;
  readonly settings: Settings;
  readonly cluster: ClusterDescription;
  /** Paths in the settings are relative to it, and images are built from it. */
  readonly checkout: string;
}

/** Reads the settings, and describes the cluster that they name. */
export async function readEnvironment({
  environment,
  config,
  checkout,
  settingsFile,
}: Pick<ProgramContext, 'environment' | 'config' | 'checkout' | 'settingsFile'>): Promise<Environment> {
  const settings = loadSettings(environment, config, settingsFile);
  return { name: environment, settings, cluster: await describeCluster(settings, checkout), checkout };
}
