import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import semver from 'semver';
import { run } from '../packages/lib/command.ts';
import { binDirectory, pulumiHomeDirectory } from './places.ts';
import type { Program } from './programs-file.ts';

/** A program that is there already, in a suitable version. */
export async function findSuitable(name: string, program: Program): Promise<string | undefined> {
  const plugin = program.plugin === undefined ? undefined : installedPlugin(name, program.plugin);
  if (plugin !== undefined) return plugin;
  if (program.besides !== undefined) return neighbour(name, program.besides);
  if (program.accept === undefined) return undefined;
  const path = findOnPath(name);
  if (path === undefined) return undefined;
  const version = await versionOf(path, program.probe ?? '--version');
  return version !== undefined && semver.satisfies(version, program.accept) ? path : undefined;
}

/** The first version number that a program prints about itself. */
export function parseVersion(text: string): string | undefined {
  return /\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?/.exec(text)?.[0];
}

async function versionOf(path: string, probe: string): Promise<string | undefined> {
  try {
    return parseVersion(await run(path, probe.split(' ')));
  } catch {
    // Another program of the same name, or a broken one: ours is built instead.
    return undefined;
  }
}

function findOnPath(name: string): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== binDirectory);
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

/** Pulumi's language host has to come from the same release as the CLI that starts it. */
function neighbour(name: string, besides: string): string | undefined {
  const link = join(binDirectory, besides);
  if (!existsSync(link)) return undefined;
  const path = join(dirname(realpathSync(link)), name);
  return isExecutable(path) ? path : undefined;
}

function installedPlugin(name: string, plugin: string): string | undefined {
  const chosen = process.env['PULUMI_HOME'];
  // A shell of `make env` has the home of this checkout, whose plugins are links to what is being provided here.
  const home = chosen === undefined || chosen === pulumiHomeDirectory ? join(homedir(), '.pulumi') : chosen;
  const path = pluginPath(home, plugin, name);
  return isExecutable(path) ? path : undefined;
}

/** Where Pulumi looks for an installed plugin. */
export function pluginPath(home: string, plugin: string, name: string): string {
  return join(home, 'plugins', plugin.replace('@', '-v'), name);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
