import { spawn } from 'node:child_process';
import { codeOf } from './error.ts';

export interface CommandOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly input?: string | undefined;
  /** Ends the command early. */
  readonly signal?: AbortSignal | undefined;
}

/** A command that ended with another exit code than 0, with the end of what it printed. */
export class CommandError extends Error {
  readonly output: string;
  readonly exitCode: number | null;

  constructor(command: string, exitCode: number | null, output: string) {
    super(`${command} failed with exit code ${exitCode ?? 'none (killed)'}:\n${lastLines(output, 15)}`);
    this.name = 'CommandError';
    this.exitCode = exitCode;
    this.output = output;
  }
}

/** Runs a command to its end and returns what it printed on standard output. */
export async function run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      signal: options.signal,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new CommandError([command, ...args.slice(0, 3)].join(' '), code, `${stdout}${stderr}`));
    });
    // A child that ends without reading its input is not an error of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** Whether an error says that the command itself does not exist. */
export function isMissingCommand(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
