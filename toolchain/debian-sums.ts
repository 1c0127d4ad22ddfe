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
 * every day drops old versions, so another one is used on Debian's signature alone, and that is said.
 */
export function checkArchives(
  folder: string,
  archives: readonly string[],
  sums: string,
  say: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): void {
  const tested = readSums(sums);
  const untested = archives.filter((archive) => !tested.has(archive));
  const problems = archives.flatMap((archive): Problem[] => {
    const expected = tested.get(archive);
    const value = createHash('sha256')
      .update(readFileSync(join(folder, archive)))
      .digest('hex');
    if (expected === undefined || expected === value) return [];
    const remedy = 'Do not use it. Check the package sources (/etc/apt).';
    return [{ object: archive, path: 'sha256', value, message: 'differs from what was tested', remedy }];
  });
  refuse(problems);
  if (untested.length === 0) return;
  say(`Of other versions than those that were tested, by Debian's signature alone: ${untested.join(', ')}`);
}

/** Sums by name of file, from lines as `sha256sum` prints them. */
function readSums(sums: string): Map<string, string> {
  return new Map([...sums.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, sum = '', file = '']) => [file, sum]));
}
