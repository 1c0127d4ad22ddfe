import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { CommandError, isMissingCommand, run } from '../packages/lib/command.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import type { Program } from './programs-file.ts';
import { fetchFromPypi } from './pypi.ts';

/** Raised when the way in which sources are built by cmake changes, so that products of the old way are not used. */
const RECIPE = 1;

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(?!.*\.cmake$)/i;

/** Identifies what a build would produce. */
export function cmakeRecipe({ sdist, version, sha256, cmake, defines }: Program): string {
  const key = JSON.stringify([RECIPE, process.platform, process.arch, sdist, version, sha256, cmake, defines]);
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/** Builds a program of a source archive on PyPI into a folder, and puts the licences of that source beside it. */
export async function cmakeBuild(name: string, program: Program, target: string): Promise<void> {
  const { sdist: project = '', version = '', sha256 = '', cmake = '.' } = program;
  const workspace = `${target}.src`;
  const [unpacked, build] = [join(workspace, 'source'), join(workspace, 'build')];
  const source = join(unpacked, cmake);
  try {
    mkdirSync(unpacked, { recursive: true });
    const archive = join(workspace, 'sdist.tar.gz');
    await fetchFromPypi({ object: `sdist ${project} ${version}`, project, sha256 }, archive);
    await run('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner', '-C', unpacked]);
    await run('cmake', ['-S', source, '-B', build, ...settings(program, workspace)]);
    await run('cmake', ['--build', build, '--target', name, '--parallel', String(availableParallelism())]);
    copyFileSync(join(build, 'bin', name), join(target, name));
    copyLicences(source, join(target, 'licences'));
  } catch (error) {
    throw explainCmakeFailure(name, error);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** The product has no symbols, which are most of its size, and no paths of this machine. */
function settings({ defines = [] }: Program, workspace: string): string[] {
  const flags = `"-ffile-prefix-map=${workspace}=/build"`;
  const own = ['CMAKE_BUILD_TYPE=Release', 'CMAKE_EXE_LINKER_FLAGS=-s'];
  const paths = [`CMAKE_C_FLAGS=${flags}`, `CMAKE_CXX_FLAGS=${flags}`];
  return [...own, ...paths, ...defines].map((define) => `-D${define}`);
}

/** Licence files are in many folders, because a source may contain the sources of others. */
function copyLicences(source: string, target: string): void {
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !LICENCE_FILE.test(entry.name)) continue;
    const folder = join(target, relative(source, entry.parentPath));
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(entry.parentPath, entry.name), join(folder, entry.name));
  }
}

/** What a failure means for a person; an error that no command gave is returned as it is. */
export function explainCmakeFailure(name: string, error: unknown): unknown {
  const object = `program ${name}`;
  if (isMissingCommand(error)) {
    const remedy = 'Install cmake, make and a C++ compiler, and run the same command again.';
    return new ProblemsError([{ object, path: 'cmake', message: 'is not on PATH', remedy }]);
  }
  if (!(error instanceof CommandError)) return error;
  const causes: [RegExp, string][] = [
    [/No space left on device/i, 'the disk is full: free about 3 GB and run the same command again'],
    [/Killed signal terminated program|fatal signal Killed/i, 'the compiler ran out of memory'],
  ];
  const message = causes.find(([pattern]) => pattern.test(error.output))?.[1] ?? 'does not build';
  const remedy = `The end of what cmake said:\n${error.message}`;
  return new ProblemsError([{ object, path: 'cmake', message, remedy }]);
}
