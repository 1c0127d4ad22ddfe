import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkout } from '../../../packages/lib/checkout.ts';
import { run } from '../../../packages/lib/command.ts';

/** Commits of a clone are dated alike, so that two clones in which the same was done end with the same commits. */
const PERSON = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Releaser'],
    [`GIT_${role}_EMAIL`, 'releaser@example.com'],
    [`GIT_${role}_DATE`, '2026-01-01T00:00:00Z'],
  ]),
);

/** A clone of this checkout, in which releases are made. */
export class ReleasedClone {
  readonly directory: string;
  readonly #parent: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(parent: string, env: Readonly<Record<string, string>>) {
    this.#parent = parent;
    this.directory = join(parent, 'clone');
    this.#env = { ...process.env, ...PERSON, ...env };
  }

  /** `env` is added to the environment of whatever runs in it. */
  static async make(env: Readonly<Record<string, string>>): Promise<ReleasedClone> {
    const parent = await mkdtemp(join(tmpdir(), 'releases-'));
    await run('git', ['clone', '--quiet', '--no-tags', checkout, join(parent, 'clone')]);
    await symlink(join(checkout, 'node_modules'), join(parent, 'node_modules'));
    return new ReleasedClone(parent, env);
  }

  /** Sets a variable for whatever runs in it from now on. */
  set(name: string, value: string): void {
    this.#env[name] = value;
  }

  async remove(): Promise<void> {
    await rm(this.#parent, { recursive: true });
  }

  read(file: string): Promise<string> {
    return readFile(join(this.directory, file), 'utf8');
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.directory, file), text);
  }

  git(...args: readonly string[]): Promise<string> {
    return run('git', ['-C', this.directory, ...args], { env: this.#env }).then((text) => text.trimEnd());
  }

  fleet(...args: readonly string[]): Promise<string> {
    return run('node', ['cli/fleet.mjs', ...args], { cwd: this.directory, env: this.#env });
  }

  /** Replaces text of a file, and commits that. */
  async change(file: string, before: string, after: string): Promise<void> {
    const text = await this.read(file);
    if (!text.includes(before)) throw new Error(`${file} does not have ${before}`);
    await writeFile(join(this.directory, file), text.replace(before, after));
    await this.commit(`change ${file}`);
  }

  async commit(message: string): Promise<void> {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--message', message);
  }

  /** Runs a command, and kills it with all that it has started as soon as it says a line that begins with this. Returns whether it did. */
  async killedAt(start: string, ...args: readonly string[]): Promise<boolean> {
    const child = spawn('node', ['cli/fleet.mjs', ...args], {
      cwd: this.directory,
      env: this.#env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    let struck = false;
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith(start) || struck || child.pid === undefined) continue;
      struck = true;
      process.kill(-child.pid, 'SIGKILL');
    }
    await ended;
    return struck;
  }
}
