import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ProblemsError } from '../packages/lib/problem.ts';
import { CommandError, isMissingCommand, run } from '../packages/lib/command.ts';
import { applyChanges, changesKey, changesSource } from './changes.ts';
import { binDirectory } from './places.ts';
import type { GoModule, Program } from './programs-file.ts';

/** Raised when the way in which programs are built changes, so that products of the old way are not used. */
const RECIPE = 2;

/**
 * Compilers spend a tenth of their time on debug information that the linker leaves out. Stack traces do not need it.
 * Settings that do not affect the product, such as how often the compiler collects garbage, are in goBuild.
 */
const FLAGS = ['-mod=readonly', '-trimpath', '-gcflags=all=-dwarf=false'];

/** The variables of every Go command: the chosen Go, only our own settings, and no C compiler. */
export function goEnvironment(): NodeJS.ProcessEnv {
  const PATH = [binDirectory, process.env['PATH'] ?? ''].join(delimiter);
  return { ...process.env, PATH, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local' };
}

/** `./cmd/x` of a module as the path that a package outside of it imports. */
export function packagePath(module: GoModule, packageInModule: string): string {
  return packageInModule === '.' ? module.path : `${module.path}/${packageInModule.replace(/^\.\//, '')}`;
}

/** Identifies what a build would produce: the pinned sources, the flags and the platform. */
export function goRecipe(module: GoModule, program: Program, moduleDirectory: string): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([RECIPE, FLAGS, process.platform, process.arch, program.package]));
  hash.update(JSON.stringify([module.tags, module.ldflags, changesKey(module, moduleDirectory)]));
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(moduleDirectory, file)));
  return hash.digest('hex').slice(0, 12);
}

/** Builds one program into a folder. An interrupted build resumes, because Go caches every package. */
export async function goBuild(
  name: string,
  module: GoModule,
  program: Program,
  moduleDirectory: string,
  target: string,
): Promise<void> {
  const workspace = `${target}.src`;
  await prepareWorkspace(name, module, moduleDirectory, workspace);
  const args = [
    'build',
    ...FLAGS,
    `-tags=${(module.tags ?? []).join(',')}`,
    `-ldflags=${['-s', '-w', ...(module.ldflags ?? [])].join(' ')}`,
    `-o=${join(target, name)}`,
    packagePath(module, program.package ?? '.'),
  ];
  try {
    // Trades memory for time: the compiler of one package is a short-lived process.
    await run('go', args, { cwd: workspace, env: { GOGC: '400', ...goEnvironment() } });
  } catch (error) {
    throw explainGoFailure(name, module, error);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** The folder of a module's source, verified by the committed go.sum. */
export async function moduleSource(name: string, module: GoModule, moduleDirectory: string): Promise<string> {
  const args = ['mod', 'download', '-json', `${module.path}@${module.version}`];
  try {
    const answer = await run('go', args, { cwd: moduleDirectory, env: goEnvironment() });
    return (JSON.parse(answer) as { Dir: string }).Dir;
  } catch (error) {
    throw explainGoFailure(name, module, error);
  }
}

/**
 * A build takes minutes, and the checkout may change meanwhile, so it works on a copy of the pins. If the source is
 * changed, the verified source is copied too and the copy is built.
 */
export async function prepareWorkspace(
  name: string,
  module: GoModule,
  moduleDirectory: string,
  workspace: string,
): Promise<void> {
  mkdirSync(workspace, { recursive: true });
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(moduleDirectory, file), join(workspace, file));
  if (!changesSource(module)) return;
  const copy = join(workspace, 'source');
  appendFileSync(join(workspace, 'go.mod'), `\nreplace ${module.path} => ${copy}\n`);
  cpSync(await moduleSource(name, module, moduleDirectory), copy, { recursive: true });
  makeWritable(copy);
  applyChanges(module, moduleDirectory, copy);
}

function makeWritable(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) makeWritable(path);
    else chmodSync(path, 0o644);
  }
}

function explainGoFailure(name: string, module: GoModule, error: unknown): unknown {
  const object = `program ${name}`;
  if (isMissingCommand(error)) {
    return new ProblemsError([
      {
        object,
        path: 'go',
        message: 'is no longer there',
        remedy: 'Run the same command again: a suitable Go is looked for, or fetched.',
      },
    ]);
  }
  if (!(error instanceof CommandError)) return error;
  const causes: [RegExp, string, string][] = [
    [
      /no space left on device/,
      'the disk is full',
      'Free about 10 GB and run the same command again; it goes on where it was.',
    ],
    [
      /requires go >= (\S+)/,
      'the Go in .tools/bin is too old',
      'Remove .tools/bin/go and run the same command again: a suitable Go is looked for, or fetched.',
    ],
    [
      /checksum mismatch|SECURITY ERROR/,
      'a download differs from the committed go.sum',
      'Do not use it. Check the module proxy (go env GOPROXY).',
    ],
    [
      /dial tcp|i\/o timeout|no such host/,
      'the Go module proxy cannot be reached',
      'Check the network or set GOPROXY, and run the same command again.',
    ],
  ];
  const cause = causes.find(([pattern]) => pattern.test(error.output));
  const message = cause?.[1] ?? `${module.path}@${module.version} does not build`;
  const remedy = `${cause?.[2] ?? 'The end of what the compiler said:'}\n${error.message}`;
  return new ProblemsError([{ object, path: 'go build', message, remedy }]);
}
