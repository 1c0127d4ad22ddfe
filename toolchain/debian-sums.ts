import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import { modulesDirectory } from './places.ts';

/** The file with the sums of a program's packages, as they were tested. */
export function sumsPath(program: string): string {
  return join(modulesDirectory, program, 'SHA256SUMS');
}

export function testedSums(program: string): string {
  const path = sumsPath(program);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/**
 * Compares packages with those that were tested. A package of a tested version must have the tested content. A release that changes
 * every day drops old versions, so a newer one is used on Debian's signature alone, and that is said.
 */
export function checkArchives(
  folder: string,
  archives: readonly string[],
  sums: string,
  say: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): void {
  const tested = new Map(sums.split('\n').map((line): [string, string] => [line.slice(66), line.slice(0, 64)]));
  const problems: Problem[] = [];
  for (const archive of archives) {
    const expected = tested.get(archive);
    const value = createHash('sha256')
      .update(readFileSync(join(folder, archive)))
      .digest('hex');
    if (expected === undefined) say(`${archive}: newer than what was tested; Debian's signature vouches for it`);
    else if (expected !== value) {
      const remedy = 'Do not use it. Check the package sources (/etc/apt).';
      problems.push({ object: archive, path: 'sha256', value, message: 'differs from what was tested', remedy });
    }
  }
  refuse(problems);
}
