import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Problem, ProblemsError } from '../packages/lib/problem.ts';
import { CommandError, isMissingCommand, run } from '../packages/lib/command.ts';
import type { Program } from './programs-file.ts';

export const APT_ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };

/** Identifies what would be unpacked, as far as that is pinned: `sums` are those of the tested files. */
export function debianRecipe(program: Program, sums?: string): string {
  const { debian, suite, without, libraries, plugins } = program;
  const own = [suite, without, libraries, plugins, sums].filter((part) => part !== undefined);
  const key = JSON.stringify([debian, process.arch, ...own]);
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
  linkMovedFolders(target);
}

/** Debian 13 has in /usr/bin what Debian 12 has in /bin. Links, as an installed system has them, let one path lead to both. */
export function linkMovedFolders(root: string): void {
  for (const folder of ['bin', 'sbin']) {
    const moved = join('usr', folder);
    if (existsSync(join(root, moved)) && !existsSync(join(root, folder))) symlinkSync(moved, join(root, folder));
  }
}

/** A command or a file that the system lacks, and the package that has it. */
export interface Lacking {
  readonly name: string;
  readonly packageName: string;
}

export function lackingInSystem(needs: Readonly<Record<string, string>>): Lacking[] {
  return Object.entries(needs)
    .filter(([name]) => !isInSystem(name))
    .map(([name, packageName]) => ({ name, packageName }));
}

/** Whether packages can be installed: as root, where there is apt. */
export function mayInstall(): boolean {
  return process.getuid?.() === 0 && isInSystem('apt-get');
}

/** Problems for what has to be installed by hand. */
export function lackingProblems(lacking: readonly Lacking[], hasApt = isInSystem('apt-get')): Problem[] {
  const packages = packagesOf(lacking);
  const remedy = `Install ${packages.join(', ')}${hasApt ? ` (sudo apt-get install ${packages.join(' ')})` : ''}.`;
  return lacking.map(({ name }) => ({
    path: name,
    message: name.startsWith('/') ? 'does not exist' : 'is not on PATH',
    remedy,
  }));
}

/** Installs the packages of what is missing. */
export async function installLacking(lacking: readonly Lacking[]): Promise<void> {
  const packages = packagesOf(lacking);
  if (packages.length === 0) return;
  if (!mayInstall()) throw new ProblemsError(lackingProblems(lacking));
  const args = ['-qq', '-y', '--no-install-recommends', 'install', ...packages];
  try {
    await withFreshIndex(() => run('apt-get', args, { env: APT_ENVIRONMENT }));
  } catch (error) {
    throw explainAptFailure(packages.join(' '), error);
  }
}

export function packagesOf(lacking: readonly Lacking[]): string[] {
  return [...new Set(lacking.map(({ packageName }) => packageName))];
}

/** A new machine has an old package index, or none: then the first attempt fails, and one update fixes it. */
async function withFreshIndex(work: () => Promise<string>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await updateIndex();
    await work();
  }
}

/** By default apt calls an update a success even if it reached no server. */
export async function updateIndex(): Promise<void> {
  await run('apt-get', ['-qq', '-o', 'APT::Update::Error-Mode=any', 'update'], { env: APT_ENVIRONMENT });
}

function isInSystem(name: string): boolean {
  if (name.startsWith('/')) return existsSync(name);
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return directories.some((directory) => existsSync(join(directory, name)));
}

export function explainAptFailure(packageName: string, error: unknown): unknown {
  const problem = aptProblem(`Debian package ${packageName}`, error);
  return problem === undefined ? error : new ProblemsError([problem]);
}

/** What a failure of apt means for a person; undefined for any other error. */
export function aptProblem(object: string, error: unknown): Problem | undefined {
  if (isMissingCommand(error)) {
    const remedy =
      'The embedded cluster runs on Debian and its derivatives. Elsewhere use your own cluster: docs/how-to/use-your-own-cluster.md.';
    return { object, path: 'apt-get', message: 'is not on this system', remedy };
  }
  if (!(error instanceof CommandError)) return undefined;
  const remedy = `Check the package sources, or run "apt-get update" as root. apt-get said:\n${error.output.trim()}`;
  return { object, path: 'apt-get', message: 'cannot be downloaded', remedy };
}
