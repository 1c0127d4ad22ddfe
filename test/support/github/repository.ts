import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';
import { run } from '../../../packages/lib/command.ts';

const AUTHOR = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com'];

/** A clone of this checkout with a remote of its own, in which a test may release what it likes. */
export class Repository {
  readonly root = mkdtempSync(join(tmpdir(), 'workflows-'));
  readonly directory = join(this.root, 'clone');
  readonly remote = join(this.root, 'owner', 'fleet');

  /** What is committed, with changes to known files on top. */
  static async create(): Promise<Repository> {
    const repository = new Repository();
    const { directory, remote } = repository;
    await run('git', ['clone', '--quiet', '--no-tags', '--single-branch', checkout, directory]);
    const changes = await run('git', ['-C', checkout, 'diff', '--binary', 'HEAD']);
    if (changes !== '') await run('git', ['-C', directory, 'apply', '--index'], { input: changes });
    await repository.git('checkout', '--quiet', '-B', 'main');
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
    await repository.git('remote', 'remove', 'origin');
    await repository.git('remote', 'add', 'origin', remote);
    await repository.commit('what is not committed yet');
    return repository;
  }

  async git(...args: readonly string[]): Promise<string> {
    return (await run('git', ['-C', this.directory, ...AUTHOR, ...args])).trim();
  }

  /** Commits everything that has changed, and pushes main. */
  async commit(message: string): Promise<void> {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message', message);
    await this.git('push', '--quiet', 'origin', 'main');
  }

  /** What a person does with the pull request of a branch. */
  async merge(branch: string): Promise<void> {
    await this.git('checkout', '--quiet', 'main');
    await this.git('fetch', '--quiet', 'origin', branch);
    await this.git('merge', '--quiet', '--no-ff', '--message', `Merge ${branch}`, 'FETCH_HEAD');
    await this.git('push', '--quiet', 'origin', 'main');
  }

  /** Every run of a workflow begins with main, as a runner's fresh checkout does. */
  async startOver(): Promise<void> {
    await this.git('fetch', '--quiet', '--tags', 'origin', 'main');
    await this.git('checkout', '--quiet', '--force', '-B', 'main', 'origin/main');
  }

  /** A file of a branch of the remote. */
  async file(branch: string, path: string): Promise<string> {
    return run('git', ['-C', this.remote, 'show', `${branch}:${path}`]);
  }

  remove(): void {
    if (existsSync(this.root)) rmSync(this.root, { recursive: true });
  }
}
