import { resolve } from 'node:path';
import { codeOf, messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { PROJECT } from '../../infra/config/project.ts';
import { settingPath } from '../../infra/config/setting-path.ts';
import type { Io } from '../io.ts';
import type { EnvironmentOptions } from './options.ts';

/** What running an environment has to know of its configuration before Pulumi reads it. */
export interface EnvironmentFile {
  /** The whole file. */
  readonly text: string;
  /** Whether the environment runs in the local cluster of this checkout. */
  readonly embedded: boolean;
  /** Whether it builds the demo runtime, and so has something to show. */
  readonly demo: boolean;
  /** Context and kubeconfig of the environment's cluster, where it is not the local one. The path is absolute. */
  readonly kubeContext?: string;
  readonly kubeconfig?: string;
}

/** Reads an environment's configuration, by default that of `Pulumi.<environment>.yaml`. */
export async function readEnvironmentFile(
  io: Pick<Io, 'read' | 'list'>,
  checkout: string,
  { environment, configFile }: Pick<EnvironmentOptions, 'environment' | 'configFile'>,
): Promise<EnvironmentFile> {
  const file = configFile ?? `Pulumi.${nameOf(environment)}.yaml`;
  const text = await io.read(resolve(checkout, file)).catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw unreadable(file, error);
    throw configFile === undefined ? noSuchEnvironment(file, await environmentNames(io, checkout)) : noSuchFile(file);
  });
  const { config } = (readYaml(text, file) ?? {}) as { config?: Readonly<Record<string, unknown>> | null };
  const setting = (name: string): unknown => config?.[`${PROJECT}:${name}`];
  return {
    text,
    embedded: setting('cluster') === 'embedded',
    demo: String(setting('demo')) === 'true',
    ...given('kubeContext', setting('kubeContext')),
    ...given('kubeconfig', setting('kubeconfig'), (path) => settingPath(checkout, path)),
  };
}

function given(
  name: 'kubeContext' | 'kubeconfig',
  value: unknown,
  read: (text: string) => string = (text) => text,
): Pick<EnvironmentFile, 'kubeContext' | 'kubeconfig'> {
  return typeof value === 'string' ? { [name]: read(value) } : {};
}

/** The environments that this checkout has a configuration for. */
async function environmentNames(io: Pick<Io, 'list'>, checkout: string): Promise<readonly string[]> {
  const files = await io.list(checkout);
  return files.flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []).sort();
}

function noSuchEnvironment(file: string, names: readonly string[]): ProblemsError {
  const remedy =
    names.length === 0
      ? 'There is none yet: copy examples/own-cluster/Pulumi.example.yaml.'
      : `Environments of this checkout: ${names.join(', ')}. Choose one with ENV=, or copy the file of one.`;
  return new ProblemsError([{ object: file, path: '', message: 'there is no such environment', remedy }]);
}

function noSuchFile(file: string): ProblemsError {
  const remedy = 'Name a configuration that exists with CONFIG=.';
  return new ProblemsError([{ object: file, path: '', message: 'there is no such file', remedy }]);
}

function unreadable(file: string, error: unknown): ProblemsError {
  return new ProblemsError([{ object: file, path: '', message: `cannot be read: ${messageOf(error)}` }]);
}

/** The part of an environment's name that its file is named after: Pulumi also takes `organization/project/stack`. */
export function nameOf(environment: string): string {
  return environment.split('/').at(-1) ?? environment;
}
