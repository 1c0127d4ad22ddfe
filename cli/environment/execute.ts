import { spawn } from 'node:child_process';
import type { Variables } from '../io.ts';

export interface ExecuteOptions {
  readonly cwd: string;
  readonly env: Variables;
  /** Show what the command prints only when it fails. */
  readonly quiet?: boolean;
}

/** Runs a program in the user's terminal; fails when the program does. */
export type Execute = (command: string, args: readonly string[], options: ExecuteOptions) => Promise<void>;

export const executeProcess: Execute = async (command, args, { cwd, env, quiet }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: quiet === true ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    }
    child.on('error', (error) => {
      reject(new Error(`${command} cannot be run: ${error.message}. \`make tools\` provides it.`));
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`${command} ${args.join(' ')} failed with exit code ${code ?? 'none'}\n${printed}`.trimEnd()));
    });
  });
