import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, openSync, closeSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds a program on PATH; a test that needs one fails without it and says how to get it. */
export function findProgram(name: string): string {
  return find(name, constants.X_OK);
}

/** The same for a file that is provided as programs are, such as a model. */
export function findFile(name: string): string {
  return find(name, constants.R_OK);
}

function find(name: string, mode: number): string {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, name);
    try {
      accessSync(path, mode);
      return path;
    } catch {
      continue;
    }
  }
  throw new Error(`${name} is not on PATH: \`make tools PROGRAMS=${name}\` provides it; run the tests with \`make\`.`);
}

/** A program that runs beside the tests, with its output in a file. */
export class Program {
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #name: string;
  readonly #exited: Promise<void>;
  readonly #killOnExit: () => void;

  /** `env` is added to the environment of the tests. */
  constructor(name: string, args: readonly string[], log: string, env: Readonly<Record<string, string>> = {}) {
    this.#name = name;
    this.#log = log;
    const output = openSync(log, 'a');
    this.#child = spawn(findProgram(name), args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
    });
    closeSync(output);
    // A test run that dies must not leave servers behind.
    this.#killOnExit = () => this.#child.kill('SIGKILL');
    process.on('exit', this.#killOnExit);
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', () => {
        process.off('exit', this.#killOnExit);
        resolve();
      });
      this.#child.once('error', () => resolve());
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The end of what the program printed, for the message of a failure. */
  tail(lines = 20): string {
    return `${this.#name}: ${readFileSync(this.#log, 'utf8').split('\n').slice(-lines).join('\n')}`;
  }

  /** Sends the signal and waits for the end; returns the exit code, nothing when the signal ended the program. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.running) this.#child.kill(signal);
    return this.ended();
  }

  /** Waits for the end without asking for it. */
  async ended(): Promise<number | null> {
    await this.#exited;
    return this.#child.exitCode;
  }
}
