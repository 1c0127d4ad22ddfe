import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../packages/lib/checkout.ts';

/** Links to the programs of this checkout's versions; the Makefile puts it first on PATH. */
export const binDirectory = join(checkout, '.tools', 'bin');

/** Links to data that comes with programs, such as OLM's manifest. */
export const shareDirectory = join(checkout, '.tools', 'share');

/** Pulumi's home when this checkout runs it: plugins, and what Pulumi keeps between runs. */
export const pulumiHomeDirectory = join(checkout, '.tools', 'pulumi');

/** Committed go.mod and go.sum, one folder a module. */
export const modulesDirectory = join(checkout, 'toolchain', 'programs');

export const programsFile = join(checkout, 'toolchain', 'programs.yaml');

/** Built programs, shared by all checkouts of this user. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'inference-stack-fleet');
}

/** What has to survive a reboot: the embedded cluster's data. */
export function stateDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'inference-stack-fleet');
}
