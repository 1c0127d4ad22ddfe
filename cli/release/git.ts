import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '../../packages/lib/checkout.ts';
import { CommandError, run } from '../../packages/lib/command.ts';

/** The second work tree, in which commits are made: its programs find the npm packages of the checkout. */
export const WORK_TREE = join(checkout, 'dist', 'release', 'checkout');

/** A checkout, asked and changed by git. */
export class Git {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async run(...args: readonly string[]): Promise<string> {
    return (await run('git', ['-C', this.directory, ...args])).trimEnd();
  }

  /** Files that differ from the commit, or are in none. */
  async changes(): Promise<string[]> {
    const status = await this.run('status', '--porcelain', '-z', '--untracked-files=all');
    return status.split('\0').flatMap((entry) => (/^.. /.test(entry) ? [entry.slice(3)] : []));
  }

  /** The commit that a tag stands for; undefined where there is no such tag. */
  async tagged(tag: string): Promise<string | undefined> {
    try {
      return await this.run('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`);
    } catch (error) {
      if (error instanceof CommandError) return undefined;
      throw error;
    }
  }

  /** What an annotated tag says; nothing where there is no such tag. */
  async taggedWords(tag: string): Promise<string> {
    return this.run('for-each-ref', '--format=%(contents)', `refs/tags/${tag}`);
  }

  /**
   * Commits what is written into a second work tree, and moves the branch there. Whoever kills this in the middle leaves nothing half written
   * in the first one. Returns whether there was something to commit.
   */
  async commit(workTree: string, message: string, write: (folder: string) => Promise<void>): Promise<boolean> {
    await this.#discard(workTree);
    await this.run('worktree', 'add', '--quiet', '--detach', workTree, 'HEAD');
    try {
      await write(workTree);
      const inside = new Git(workTree);
      if ((await inside.changes()).length === 0) return false;
      await inside.run('add', '--all');
      await inside.run('commit', '--quiet', '--message', message);
      await this.run('merge', '--quiet', '--ff-only', await inside.run('rev-parse', 'HEAD'));
      return true;
    } finally {
      await this.#discard(workTree);
    }
  }

  async #discard(workTree: string): Promise<void> {
    await rm(workTree, { recursive: true, force: true });
    await this.run('worktree', 'prune');
  }
}
