import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { checkout } from '../../../packages/lib/checkout.ts';
import { PROJECT } from '../../../infra/config/project.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** A group of settings of a committed environment's file: a change of one of them replaces the group as a whole. */
export function committedSettings(file: string, group: string): Settings {
  const { config } = yaml.load(readFileSync(join(checkout, file), 'utf8')) as {
    config: Readonly<Record<string, Settings>>;
  };
  return config[`${PROJECT}:${group}`] ?? {};
}

/** The text of a committed environment's file with some settings changed. */
export function environmentConfig(file: string, changes: Settings = {}): string {
  const { config, ...rest } = yaml.load(readFileSync(join(checkout, file), 'utf8')) as { config: Settings };
  const changed = Object.entries(changes).map(([key, value]) => [`${PROJECT}:${key}`, value] as const);
  const all: Settings = { ...config, ...Object.fromEntries<unknown>(changed) };
  return yaml.dump({ ...rest, config: all });
}
