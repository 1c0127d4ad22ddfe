import { resolve } from 'node:path';
import yaml from 'js-yaml';
import { ProblemsError } from '../../controller/src/problem.ts';
import type { Io } from '../io.ts';
import type { StackOptions } from './options.ts';

/** What running a stack has to know of its configuration before Pulumi reads it. */
export interface StackFile {
  /** Whether the stack runs in the local cluster of this checkout. */
  readonly embedded: boolean;
  /** Whether it builds the demo runtime, and so has something to show. */
  readonly demo: boolean;
}

const PROJECT = 'inference-stack-fleet';

/** Reads a stack's configuration, by default that of `Pulumi.<stack>.yaml`. */
export async function readStackFile(
  io: Io,
  checkout: string,
  { stack, configFile }: Pick<StackOptions, 'stack' | 'configFile'>,
): Promise<StackFile> {
  const file = configFile ?? `Pulumi.${stack}.yaml`;
  const text = await io.read(resolve(checkout, file)).catch(() => {
    const remedy = 'Choose one that exists with STACK= or CONFIG=, or copy Pulumi.dev.yaml.';
    throw new ProblemsError([{ object: file, path: '', message: 'there is no such stack', remedy }]);
  });
  const { config = {} } = (yaml.load(text) ?? {}) as { config?: Readonly<Record<string, unknown>> };
  return {
    embedded: config[`${PROJECT}:cluster`] === 'embedded',
    demo: String(config[`${PROJECT}:demo`]) === 'true',
  };
}
