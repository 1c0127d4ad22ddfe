import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Problem, ProblemsError } from '../../controller/src/problem.ts';
import { CommandError, isMissingCommand, run } from '../../components/process/command.ts';
import type { Program } from './programs-file.ts';

const APT_ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };

export function debianRecipe(program: Program): string {
  const key = JSON.stringify([program.debian, process.arch]);
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/** Unpacks a package without installing it; apt verifies it against Debian's signed index. */
export async function unpackDebian(packageName: string, target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const download = (): Promise<string> =>
    run('apt-get', ['-qq', 'download', packageName], { cwd: target, env: APT_ENVIRONMENT });
  try {
    await withFreshIndex(download);
  } catch (error) {
    throw explainAptFailure(packageName, error);
  }
  const archive = readdirSync(target).find((name) => name.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get download ${packageName} left no .deb file in ${target}`);
  await run('dpkg-deb', ['-x', archive, '.'], { cwd: target });
  rmSync(join(target, archive));
}

/** Installs the packages of missing commands; tells which, when it may not. */
export async function ensureSystemCommands(commands: Readonly<Record<string, string>>): Promise<string[]> {
  const missing = Object.entries(commands).filter(([command]) => !isOnPath(command));
  const packages = [...new Set(missing.map(([, packageName]) => packageName))];
  if (packages.length === 0) return [];
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    const install = `Install ${packages.join(', ')}${isOnPath('apt-get') ? ` (sudo apt-get install ${packages.join(' ')})` : ''}.`;
    throw new ProblemsError(
      missing.map(([command]): Problem => ({ path: command, message: 'is not on PATH', remedy: install })),
    );
  }
  const args = ['-qq', '-y', '--no-install-recommends', 'install', ...packages];
  try {
    await withFreshIndex(() => run('apt-get', args, { env: APT_ENVIRONMENT }));
  } catch (error) {
    throw explainAptFailure(packages.join(' '), error);
  }
  return packages;
}

/** A new machine has an old package index, or none: then the first attempt fails, and one update mends it. */
async function withFreshIndex(work: () => Promise<string>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await run('apt-get', ['-qq', 'update'], { env: APT_ENVIRONMENT });
    await work();
  }
}

function isOnPath(command: string): boolean {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return directories.some((directory) => existsSync(join(directory, command)));
}

function explainAptFailure(packageName: string, error: unknown): unknown {
  const object = `Debian package ${packageName}`;
  if (isMissingCommand(error)) {
    const remedy =
      'The embedded cluster runs on Debian and its derivatives. Elsewhere use your own cluster: docs/how-to/use-your-own-cluster.md.';
    return new ProblemsError([{ object, path: 'apt-get', message: 'is not on this system', remedy }]);
  }
  if (!(error instanceof CommandError)) return error;
  const remedy = `Check the package sources, or run "apt-get update" as root. apt-get said:\n${error.output.trim()}`;
  return new ProblemsError([{ object, path: 'apt-get', message: 'cannot be downloaded', remedy }]);
}
