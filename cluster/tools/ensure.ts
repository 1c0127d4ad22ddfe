import { existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemsError } from '../../controller/src/problem.ts';
import type { Progress } from '../progress.ts';
import { debianRecipe, unpackDebian } from './debian.ts';
import { exclusively } from './exclusive.ts';
import { findSuitable } from './from-path.ts';
import { goBuild, goRecipe, moduleSource } from './go-build.ts';
import { prefetch } from './go-prefetch.ts';
import { binDirectory, cacheDirectory, modulesDirectory, shareDirectory } from './places.ts';
import type { GoModule, Program, ProgramsFile } from './programs-file.ts';

/** What a build needs beside its product: Go's cache grows by about this much when everything is built. */
const NEEDED_DISK_GB = 8;

/** Where a program stands before anything is done. */
export interface Planned {
  readonly name: string;
  readonly program: Program;
  readonly version: string;
  /** Path that .tools/bin/<name> has to lead to. */
  readonly product: string;
  /** Folder in the cache that holds the product. */
  readonly directory: string;
}

export function planProgram(file: ProgramsFile, name: string): Planned {
  const program = file.programs[name];
  if (program === undefined) throw new Error(`no program ${name} in programs.yaml`);
  const module = program.module === undefined ? undefined : file.modules[program.module];
  if (module !== undefined && program.module !== undefined) {
    const recipe = goRecipe(module, program, join(modulesDirectory, program.module));
    const directory = join(cacheDirectory(), 'programs', `${name}-${module.version}-${recipe}`);
    return { name, program, version: module.version, directory, product: join(directory, name) };
  }
  const source = program.debian ?? program.npm ?? name;
  const directory = join(cacheDirectory(), 'programs', `${source}-debian-${debianRecipe(program)}`);
  return { name, program, version: 'from Debian', directory, product: join(directory, program.file ?? name) };
}

/** Programs whose link does not lead to what is pinned. A link to a program outside of the cache was accepted earlier. */
export function missingPrograms(planned: readonly Planned[]): Planned[] {
  const cache = cacheDirectory();
  return planned.filter(({ name, product }) => {
    const target = linkTarget(join(binDirectory, name));
    if (target === undefined || !existsSync(target)) return true;
    return target.startsWith(cache) && target !== product;
  });
}

/** Makes the programs available in .tools/bin, with one progress step each. */
export async function ensurePrograms(
  file: ProgramsFile,
  planned: readonly Planned[],
  progress: Progress,
): Promise<void> {
  const done = new AbortController();
  const fetching = prefetch(directoriesToBuild(planned), done.signal);
  try {
    for (const plan of planned) await ensureProgram(file, plan, progress);
  } finally {
    done.abort();
    await fetching;
  }
}

async function ensureProgram(file: ProgramsFile, plan: Planned, progress: Progress): Promise<void> {
  const step = progress.start(
    `${plan.name} ${plan.version}`,
    existsSync(plan.product) ? undefined : plan.program.seconds,
  );
  try {
    const found = existsSync(plan.product) ? undefined : await findSuitable(plan.name, plan.program);
    const cached = existsSync(plan.product);
    if (found === undefined && !cached) await make(file, plan);
    link(join(binDirectory, plan.name), found ?? plan.product);
    step.done(found === undefined ? (cached ? 'from the cache' : 'built') : `from ${found}`);
  } catch (error) {
    step.failed();
    throw error;
  }
}

/** Folders of the modules that have to be built, each once, in the order of the programs. */
async function* directoriesToBuild(planned: readonly Planned[]): AsyncGenerator<string> {
  const told = new Set<string>();
  for (const { name, program, product } of planned) {
    const { module } = program;
    if (module === undefined || told.has(module) || existsSync(product)) continue;
    if ((await findSuitable(name, program)) !== undefined) continue;
    told.add(module);
    yield join(modulesDirectory, module);
  }
}

/** Links data files of modules, such as OLM's manifest, into .tools/share. */
export async function ensureShares(file: ProgramsFile, modules: readonly string[]): Promise<void> {
  for (const name of modules) {
    const module = file.modules[name];
    const missing = Object.entries(module?.share ?? {}).filter(([link]) => !existsSync(join(shareDirectory, link)));
    if (module === undefined || missing.length === 0) continue;
    const source = await moduleSource(name, module, join(modulesDirectory, name));
    for (const [share, path] of missing) link(join(shareDirectory, share), join(source, path));
  }
}

/** Builds into a folder beside the final one and renames it when it is whole: a product is complete or not there. */
async function make(file: ProgramsFile, plan: Planned): Promise<void> {
  const waiting = (pid: number): void => {
    process.stderr.write(`${plan.name}: waiting for process ${pid}, which is making it already\n`);
  };
  await exclusively(`${plan.directory}.lock`, waiting, async () => {
    if (existsSync(plan.product)) return;
    refuseFullDisk(plan.name);
    const draft = `${plan.directory}.draft-${process.pid}`;
    try {
      mkdirSync(draft, { recursive: true });
      await makeIn(file, plan, draft);
      rmSync(plan.directory, { recursive: true, force: true });
      renameSync(draft, plan.directory);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

async function makeIn(file: ProgramsFile, plan: Planned, draft: string): Promise<void> {
  const { name, program } = plan;
  if (program.debian !== undefined) return unpackDebian(program.debian, draft);
  const moduleName = program.module ?? '';
  const module: GoModule | undefined = file.modules[moduleName];
  if (module === undefined) throw new Error(`${name} is provided by cluster/bootstrap.sh`);
  return goBuild(name, module, program, join(modulesDirectory, moduleName), draft);
}

function refuseFullDisk(name: string): void {
  const cache = cacheDirectory();
  const { bavail, bsize } = statfsSync(cache);
  const free = (bavail * bsize) / 1e9;
  if (free >= NEEDED_DISK_GB) return;
  throw new ProblemsError([
    {
      object: `program ${name}`,
      path: cache,
      value: `${free.toFixed(1)} GB free`,
      message: `has too little room to build programs: ${NEEDED_DISK_GB} GB are needed`,
      remedy: 'Free some, or set XDG_CACHE_HOME to a larger disk.',
    },
  ]);
}

/** Makes a path lead to a target, at any moment to the old one or the new one. */
export function link(path: string, target: string): void {
  if (linkTarget(path) === target) return;
  mkdirSync(join(path, '..'), { recursive: true });
  // A new link is put in place by renaming, so that a program is never missing while another process looks for it.
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  symlinkSync(target, draft);
  renameSync(draft, path);
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
