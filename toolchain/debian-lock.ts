import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { run } from '../packages/lib/command.ts';
import { separateApt } from './debian-suite.ts';
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
      const env = await separateApt({ suite, without, sums: '' }, directory, architecture);
      await run('apt-get', ['-qq', 'update'], { env });
      const install = ['-qq', '-y', '--no-install-recommends', '--print-uris', 'install', packageName];
      const files = archiveNames(await run('apt-get', install, { env }));
      const packages = files.map((archive) => archive.split('_')[0] ?? '');
      const shown = await run('apt-cache', ['show', '--no-all-versions', ...packages], { env });
      lines.push(...sumLines(shown, files));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  mkdirSync(dirname(sumsPath(name)), { recursive: true });
  writeFileSync(sumsPath(name), `${[...new Set(lines)].sort((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1)).join('\n')}\n`);
}

/** The names under which apt saves packages, from `'address' file size hash` lines. */
export function archiveNames(listing: string): string[] {
  return [...listing.matchAll(/^'\S+' (\S+\.deb) \d+/gm)].map((match) => match[1] ?? '');
}

/** Lines as `sha256sum` prints them, for the packages that `apt-cache show` describes. */
export function sumLines(shown: string, files: readonly string[]): string[] {
  return shown.split(/\n\n+/).flatMap((paragraph) => {
    const value = (field: string): string => new RegExp(`^${field}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
    const archive = basename(value('Filename'));
    // apt puts the epoch of the version into the name, and Debian's file tree does not.
    const file = files.find((name) => name.replace(/_\d+%3a/, '_') === archive);
    return file === undefined ? [] : [`${value('SHA256')}  ${file}`];
  });
}
