import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { run } from '../packages/lib/command.ts';
import { listInSuite } from './debian-suite.ts';
import { sumsPath } from './debian-sums.ts';
import type { ProgramsFile } from './programs-file.ts';

/** The architectures that programs are pinned for, as Debian names them. */
const ARCHITECTURES = ['amd64', 'arm64'];

/** Writes down which packages a program consists of today, so that whoever fetches the same versions gets the same files. */
export async function lockPackages(file: ProgramsFile, name: string): Promise<void> {
  const { debian: packageName = '', suite = '', without = [] } = file.programs[name] ?? {};
  const lines: string[] = [];
  for (const architecture of ARCHITECTURES) {
    const directory = mkdtempSync(join(tmpdir(), 'fleet-lock-'));
    try {
      const { listing, env } = await listInSuite({ packageName, suite, without, sums: '' }, directory, architecture);
      const files = archiveNames(listing);
      const packages = files.map((archive) => archive.split('_')[0] ?? '');
      const shown = await run('apt-cache', ['show', '--no-all-versions', ...packages], { env });
      lines.push(...sumLines(shown, files));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  mkdirSync(dirname(sumsPath(name)), { recursive: true });
  // A package for every architecture is listed twice.
  const unique = [...new Set(lines)].sort((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1));
  writeFileSync(sumsPath(name), `${unique.join('\n')}\n`);
}

/** The names under which apt saves packages, from `'address' file size hash` lines. */
export function archiveNames(listing: string): string[] {
  return [...listing.matchAll(/^'\S+' (\S+\.deb) \d+/gm)].map((match) => match[1] ?? '');
}

/** Lines as `sha256sum` prints them, for the packages that `apt-cache show` describes. */
export function sumLines(shown: string, files: readonly string[]): string[] {
  const sums = new Map(
    shown.split(/\n\n+/).map((paragraph): [string, string] => {
      const value = (field: string): string => new RegExp(`^${field}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
      return [basename(value('Filename')), value('SHA256')];
    }),
  );
  return files.map((file) => {
    // apt puts the epoch of the version into the name, and Debian's file tree does not.
    const sum = sums.get(file.replace(/_\d+%3a/, '_'));
    if (sum === undefined) throw new Error(`apt-cache show does not describe ${file}`);
    return `${sum}  ${file}`;
  });
}
