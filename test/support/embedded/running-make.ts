import { spawn, type ChildProcess } from 'node:child_process';
import assert from 'node:assert/strict';
import { checkout } from '../../../packages/lib/checkout.ts';
import { eventually } from '../machine/eventually.ts';

/** A make target that keeps running while a test reads its output and reacts to it. */
export class RunningMake {
  readonly #child: ChildProcess;
  readonly #started = performance.now();
  readonly #ended: Promise<number | null>;
  #output = '';

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    // In its own process group, as a shell starts it: an interrupt reaches everything that it has started.
    this.#child = spawn('make', args, { cwd: checkout, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
    this.#ended = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  get output(): string {
    return this.#output;
  }

  /** The first line that matches, with the seconds since the beginning; fails if there is none in time. */
  async line(pattern: RegExp, timeoutMs: number): Promise<{ readonly line: string; readonly seconds: number }> {
    let over = false;
    void this.#ended.then(() => (over = true));
    const line = await eventually(() => {
      const found = this.#output.split('\n').find((each) => pattern.test(each));
      if (over && found === undefined) return undefined;
      assert.ok(found !== undefined, `nothing matches ${String(pattern)} in:\n${this.#output}`);
      return found;
    }, timeoutMs);
    assert.ok(line !== undefined, `it has ended, and nothing matches ${String(pattern)} in:\n${this.#output}`);
    return { line, seconds: (performance.now() - this.#started) / 1000 };
  }

  /** Waits until it has ended with success. */
  async end(): Promise<string> {
    assert.equal(await this.#ended, 0, this.#output);
    return this.#output;
  }

  /** What Ctrl-C does, unless it has ended well. Pulumi lets go of what it waits for, and writes its state. */
  async interrupt(): Promise<void> {
    if (this.#child.exitCode === 0) return;
    const group = -(this.#child.pid ?? 0);
    process.kill(group, 'SIGINT');
    await eventually(() => assert.throws(() => process.kill(group, 0), { code: 'ESRCH' }), 60_000, 200);
  }
}
