import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CommandError } from '../packages/lib/command.ts';
import { messageOf } from '../packages/lib/error.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import { download } from './http.ts';

/** A file of a package registry that must have a certain content. */
export interface PinnedFile {
  /** What it is, for messages, e.g. `crate onwards 1.2.0`. */
  readonly object: string;
  readonly url: string;
  readonly sha256: string;
}

/** Fetches a file and refuses any content but the pinned one, so that it does not matter who serves it. */
export async function fetchPinned({ object, url, sha256 }: PinnedFile, target: string): Promise<void> {
  try {
    await download(url, target);
  } catch (error) {
    const reason = error instanceof CommandError ? error.output.trim() : messageOf(error);
    const remedy = `Check the network, and run the same command again. Error: ${reason}`;
    throw new ProblemsError([{ object, path: 'address', value: url, message: 'cannot be fetched', remedy }]);
  }
  const value = createHash('sha256').update(readFileSync(target)).digest('hex');
  if (value === sha256) return;
  const message = 'differs from what programs.yaml pins';
  throw new ProblemsError([{ object, path: 'sha256', value, message, remedy: `Do not use it. Check ${url}.` }]);
}
