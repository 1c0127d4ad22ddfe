import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, run } from '../../../packages/lib/command.ts';

/** A clone of another repository, for as long as the work takes. */
export interface Clone {
  readonly directory: string;
  readonly git: (...args: readonly string[]) => Promise<string>;
}

/** Clones a branch of a repository with its history, which merging needs, or without. */
export async function withClone<T>(
  url: string,
  options: readonly string[],
  work: (clone: Clone) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'downstream-'));
  try {
    await run('git', ['clone', '--quiet', ...options, url, directory]);
    return await work({ directory, git: (...args) => run('git', ['-C', directory, ...args]) });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Whether a git command that answers by its exit code says yes. */
export async function succeeds(command: Promise<string>): Promise<boolean> {
  try {
    await command;
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 1) return false;
    throw error;
  }
}
