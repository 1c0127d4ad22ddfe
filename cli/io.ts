import { readdir } from 'node:fs/promises';
import { asFileError, readTextFile, readTextStream } from '../packages/lib/text-file.ts';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Everything outside the process that a command may touch. Tests replace it. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Reads a file of UTF-8, or standard input for `-`. A file that cannot be read is a problem with a remedy. */
  read(path: string): Promise<string>;
  /** The names of what a directory holds. */
  list(directory: string): Promise<readonly string[]>;
  env: Variables;
}

export const processIo: Io = {
  out: (chunk) => void process.stdout.write(chunk),
  err: (chunk) => void process.stderr.write(chunk),
  read: (path) => (path === '-' ? readTextStream(process.stdin, 'standard input') : readTextFile(path)),
  list: (directory) =>
    readdir(directory).catch(async (error: unknown) => {
      throw await asFileError(error, directory);
    }),
  env: process.env,
};
