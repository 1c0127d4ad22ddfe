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
  await fetchFile(object, url, target);
  const value = createHash('sha256').update(readFileSync(target)).digest('hex');
  if (value === sha256) return;
  const message = 'differs from what programs.yaml pins';
  const remedy = `Do not use it. Check ${shownAddress(url)}.`;
  throw new ProblemsError([{ object, path: 'sha256', value, message, remedy }]);
}

/** Fetches a file, and says why if it cannot. */
export async function fetchFile(object: string, url: string, target: string): Promise<void> {
  try {
    await download(url, target);
  } catch (error) {
    const reason = error instanceof CommandError ? error.output.trim() : messageOf(error);
    const remedy = `Check the network and the room on the disk, and run the same command again. Error: ${reason}`;
    const value = shownAddress(url);
    throw new ProblemsError([{ object, path: 'address', value, message: 'cannot be fetched', remedy }]);
  }
}

/** An address for messages. A private registry's password must not end up in a log. */
export function shownAddress(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//');
}
