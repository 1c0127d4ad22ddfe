import { resolve } from 'node:path';
import type { OpenObject } from '../../packages/lib/json.ts';
import { codeOf, messageOf } from '../../packages/lib/error.ts';
import { ProblemsError, refuse } from '../../packages/lib/problem.ts';
import { readEnvironmentFile } from '../../infra/config/environment-file.ts';
import { environmentFileName } from '../../infra/config/project.ts';
import { settingPath } from '../../infra/config/setting-path.ts';
import type { Io } from '../io.ts';
import type { EnvironmentOptions } from './options.ts';

/** The settings of an environment that are needed before Pulumi reads them. */
export interface EnvironmentFile {
  /** What it is called in messages. */
  readonly name: string;
  /** The whole file, and what it says to Pulumi besides the settings. */
  readonly text: string;
  readonly content: OpenObject;
  /** Whether the environment runs in the local cluster of this checkout. */
  readonly embedded: boolean;
  /** Whether it builds the demo runtime, and so has something to show. */
  readonly demo: boolean;
  /** Whether images are built from this checkout, so that its programs have to be packed. */
  readonly packs: boolean;
  /** Context and kubeconfig of the environment's cluster, where it is not the local one. The path is absolute. */
  readonly kubeContext?: string | undefined;
  readonly kubeconfig?: string | undefined;
}

/** Reads an environment's settings, by default those of `Pulumi.<environment>.yaml`. */
export async function openEnvironmentFile(
  io: Pick<Io, 'read' | 'list'>,
  checkout: string,
  { environment, configFile }: Pick<EnvironmentOptions, 'environment' | 'configFile'>,
): Promise<EnvironmentFile> {
  const file = configFile ?? environmentFileName(environment);
  const text = await io.read(resolve(checkout, file)).catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw unreadable(file, error);
    throw configFile === undefined ? noSuchEnvironment(file, await environmentNames(io, checkout)) : noSuchFile(file);
  });
  const { content, settings, problems } = readEnvironmentFile(text, file);
  const { cluster, demo, kubeContext, kubeconfig, catalog } = settings;
  const unread = Object.entries({ cluster, demo, kubeContext, kubeconfig }).filter(([, value]) => value === undefined);
  // What is missing, and what is wrong with other settings, is for the program to say: it also gets what `pulumi up --config` adds.
  refuse(problems.filter(({ path, value }) => value !== undefined && unread.some(([key]) => key === path)));
  return {
    name: file,
    text,
    content,
    embedded: cluster === 'embedded',
    demo: demo === true,
    // Of what could not be read, the program reports why.
    packs: demo === true || catalog === undefined || catalog.source === 'checkout',
    kubeContext,
    kubeconfig: kubeconfig === undefined ? undefined : settingPath(checkout, kubeconfig),
  };
}

/** The environments that this checkout has settings for. */
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
