import { readdir, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Everything outside the process that a command may touch. Tests replace it. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Reads a file, or standard input for `-`. */
  read(path: string): Promise<string>;
  /** The names of what a directory holds. */
  list(directory: string): Promise<readonly string[]>;
  env: Variables;
}

export const processIo: Io = {
  out: (chunk) => void process.stdout.write(chunk),
  err: (chunk) => void process.stderr.write(chunk),
  read: (path) => (path === '-' ? text(process.stdin) : readFile(path, 'utf8')),
  list: (directory) => readdir(directory),
  env: process.env,
};
