import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../../packages/lib/error.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import { readLines, TOO_LONG } from '../../../packages/lib/read-lines.ts';
import { containedCommand, isolation, LIMITS, type Isolation, type Limits } from './containment.ts';
import { hardeningSource } from './harden.ts';
import { plainText } from './plain-text.ts';

/** A program that nobody has to trust: JavaScript in one file. */
export interface UntrustedProgram {
  /** How messages name it: `operator 3.1.0`. */
  readonly name: string;
  readonly source: string;
}

/** Variables that the program gets; it sees no others. */
type Environment = Readonly<Record<string, string>>;

interface AskOptions {
  readonly limits?: Limits;
  readonly env?: Environment;
  /** How the kernel isolates it; as well as it can, if not given. */
  readonly isolated?: Isolation;
}

/** How much of standard error is kept: enough for a reason. */
const COMPLAINT_BYTES = 4096;

/**
 * Runs a program contained, sends it lines, and yields those that it prints. It has no files, no network, no environment and no other
 * processes, and limited time and memory. That contains a program, and is not a sandbox. What it prints may be anything.
 */
export async function* askContained(
  program: UntrustedProgram,
  args: readonly string[],
  question: AsyncIterable<string>,
  { limits = LIMITS, env = {}, isolated }: AskOptions = {},
): AsyncGenerator<Buffer> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'contained-')));
  try {
    const files = { program: join(directory, 'program.cjs'), hardening: join(directory, 'hardening.cjs') };
    await writeFile(files.program, program.source, { mode: 0o400 });
    await writeFile(files.hardening, hardeningSource(), { mode: 0o400 });
    const [command = '', ...rest] = containedCommand(files, args, limits, isolated ?? (await isolation()));
    // A group of its own, so that nothing of it is left when it is ended.
    const child = spawn(command, rest, { cwd: directory, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    yield* new Conversation(program.name, child, limits).lines(question);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The pipes of a process that was started with all three. */
interface Piped {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** How Node begins the line that says why it ends. */
const REASON = /^\W*(\w*Error\b|FATAL|Fatal)/;

class Conversation {
  readonly #name: string;
  readonly #child: ChildProcess & Piped;
  readonly #limits: Limits;
  #complaint = Buffer.alloc(0);
  /** Why it was ended; the first reason counts. */
  #reason: unknown;

  constructor(name: string, child: ChildProcess & Piped, limits: Limits) {
    this.#name = name;
    this.#child = child;
    this.#limits = limits;
  }

  async *lines(question: AsyncIterable<string>): AsyncGenerator<Buffer> {
    const { seconds, lineBytes } = this.#limits;
    const ended = this.#ended();
    const deadline = setTimeout(() => this.#refuse(`did not end within ${String(seconds)} s`), seconds * 1000);
    this.#child.stderr.on('data', (chunk: Buffer) => this.#complain(chunk));
    const asking = this.#ask(question);
    try {
      for await (const line of readLines(this.#child.stdout, lineBytes)) {
        if (this.#reason !== undefined) break;
        if (line === TOO_LONG) this.#refuse(`printed a line of more than ${String(lineBytes)} bytes`);
        else yield line;
      }
      const how = await ended;
      await asking;
      if (this.#reason === undefined && how !== undefined) this.#refuse(`${how}${this.#lastWords()}`);
    } finally {
      clearTimeout(deadline);
      this.#end();
      await ended;
    }
    if (this.#reason !== undefined) throw this.#reason as Error;
  }

  /** How the process has ended, if not well. Exit code 2 is an answer of its own. */
  async #ended(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(`cannot be run: ${messageOf(error)}`));
      this.#child.once('close', (code, signal) => {
        const well = code === 0 || code === 2;
        resolve(well ? undefined : signal === null ? `ended with exit code ${String(code)}` : `was ended by ${signal}`);
      });
    });
  }

  async #ask(question: AsyncIterable<string>): Promise<void> {
    const { stdin } = this.#child;
    // It may end before it has read everything, and then says why.
    stdin.on('error', () => undefined);
    try {
      for await (const line of question) {
        if (stdin.destroyed || this.#reason !== undefined) break;
        if (!stdin.write(`${line}\n`)) await writable(stdin);
      }
    } catch (error) {
      this.#stop(error);
    }
    stdin.end();
  }

  #complain(chunk: Buffer): void {
    const room = COMPLAINT_BYTES - this.#complaint.length;
    if (room > 0) this.#complaint = Buffer.concat([this.#complaint, chunk.subarray(0, room)]);
  }

  /** The reason that it gave, or else what it said first, in one line. */
  #lastWords(): string {
    const lines = this.#complaint.toString('utf8').split('\n');
    const said = lines.find((line) => REASON.test(line)) ?? lines.find((line) => line.trim() !== '');
    return said === undefined ? '' : `: ${plainText(said)}`;
  }

  #refuse(message: string): void {
    const remedy =
      'What it would do cannot be known. It is the code that the upgrade would run: look at it before you upgrade.';
    this.#stop(new ProblemsError([{ object: this.#name, path: '', message, remedy }]));
  }

  #stop(reason: unknown): void {
    this.#reason ??= reason;
    this.#end();
  }

  #end(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}

/** Waits until the stream takes more, or nothing any longer. */
async function writable(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
    if (stream.destroyed) done();
  });
}
