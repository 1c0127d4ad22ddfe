import { existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import type { Progress } from '../packages/lib/progress.ts';
import { cmakeBuild } from './cmake-build.ts';
import { unpackDebian } from './debian.ts';
import { unpackFromSuite } from './debian-suite.ts';
import { exclusively } from './exclusive.ts';
import { findSuitable } from './from-path.ts';
import { goBuild, moduleSource } from './go-build.ts';
import { prefetch } from './go-prefetch.ts';
import { fetchGo } from './go-toolchain.ts';
import { binDirectory, cacheDirectory, modulesDirectory, shareDirectory } from './places.ts';
import { type Planned, sumsOf } from './plan.ts';
import { type GoModule, isCompiled, type ProgramsFile } from './programs-file.ts';
import { fetchWheel } from './python-wheel.ts';
import { rustBuild } from './rust-build.ts';

/** Programs whose link does not lead to what is pinned. One out of the cache leads to a program from PATH. */
export function missingPrograms(planned: readonly Planned[]): Planned[] {
  const cache = cacheDirectory();
  return planned.filter((plan) => {
    const target = linkTarget(join(binDirectory, plan.name));
    if (target === undefined || !existsSync(target)) return true;
    return target.startsWith(cache) && !products(plan).includes(target);
  });
}

/** What is pinned, from each source that a program has. */
function products({ product, otherwise }: Planned): string[] {
  return otherwise === undefined ? [product] : [product, otherwise.product];
}

/** Links the programs that are there already, in the cache or on PATH, and returns the others. */
export async function linkExisting(planned: readonly Planned[]): Promise<Planned[]> {
  const others: Planned[] = [];
  for (const plan of planned) {
    const made = products(plan).find((product) => existsSync(product));
    const found = made ?? (await findSuitable(plan.name, plan.program));
    if (found === undefined) {
      others.push(plan);
      continue;
    }
    link(join(binDirectory, plan.name), found);
    if (found !== plan.product) process.stderr.write(`${plan.name}: using ${found}\n`);
  }
  return others;
}

/** Makes the programs and links them into .tools/bin, with one progress step each. */
export async function makePrograms(file: ProgramsFile, planned: readonly Planned[], progress: Progress): Promise<void> {
  // Sources can be fetched ahead only when Go is there.
  const isGo = ({ program }: Planned): boolean => program.toolchain !== undefined;
  for (const plan of planned.filter(isGo)) await makeProgram(file, plan, progress);
  const others = planned.filter((plan) => !isGo(plan));
  const done = new AbortController();
  const fetching = prefetch(directoriesToBuild(others), done.signal);
  try {
    for (const plan of others) await makeProgram(file, plan, progress);
  } finally {
    done.abort();
    await fetching;
  }
}

async function makeProgram(file: ProgramsFile, plan: Planned, progress: Progress): Promise<void> {
  const step = progress.start(`${plan.name} ${plan.version}`, plan.program.seconds);
  try {
    await make(file, plan);
    link(join(binDirectory, plan.name), plan.product);
    step.done(isCompiled(plan.program) ? 'built' : 'fetched');
  } catch (error) {
    step.failed();
    throw error;
  }
}

/** Folders of the modules that have to be built, each once, in the order of the programs. */
function directoriesToBuild(planned: readonly Planned[]): string[] {
  const modules = planned.flatMap(({ program }) => program.module ?? []);
  return [...new Set(modules)].map((module) => join(modulesDirectory, module));
}

/** Modules of which a data file is not linked yet. */
export function missingShares(file: ProgramsFile, modules: readonly string[]): string[] {
  return modules.filter((name) =>
    Object.keys(file.modules[name]?.share ?? {}).some((share) => !existsSync(join(shareDirectory, share))),
  );
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

/** Builds into a folder beside the final one and renames it at the end, so a product is complete or absent. */
async function make(file: ProgramsFile, plan: Planned): Promise<void> {
  const waiting = (pid: number): void => {
    process.stderr.write(`${plan.name}: waiting for process ${pid}, which is making it already\n`);
  };
  await exclusively(`${plan.directory}.lock`, waiting, async () => {
    if (existsSync(plan.product)) return;
    const draft = `${plan.directory}.draft-${process.pid}`;
    try {
      mkdirSync(draft, { recursive: true });
      await makeIn(file, plan, draft);
      refuse(productProblems(plan, draft));
      rmSync(plan.directory, { recursive: true, force: true });
      renameSync(draft, plan.directory);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

/** A package may lack what an earlier version had, and a link to nothing would be found out much later. */
export function productProblems({ name, version, product, directory }: Planned, draft: string): Problem[] {
  const path = relative(directory, product);
  if (existsSync(join(draft, path))) return [];
  return [{ object: `${name} ${version}`, path, message: 'is not in what was fetched or built' }];
}

async function makeIn(file: ProgramsFile, plan: Planned, draft: string): Promise<void> {
  const { name, program } = plan;
  if (program.toolchain !== undefined) return fetchGo(program, draft);
  if (program.crate !== undefined) return rustBuild(name, program, draft);
  if (program.sdist !== undefined) return cmakeBuild(name, program, draft);
  if (program.wheel !== undefined) return fetchWheel(program, draft);
  if (program.debian !== undefined && program.suite !== undefined) {
    const { debian: packageName, suite, without = [], libraries = [], plugins } = program;
    const sums = sumsOf(name, program);
    const same = Object.entries(file.programs).filter(
      ([, other]) => other.debian === packageName && other.suite === suite,
    );
    const programs = Object.fromEntries(same.map(([other, { file: path }]) => [other, path ?? other]));
    const wanted = { packageName, suite, programs, without, libraries, plugins, sums };
    return unpackFromSuite(wanted, draft, plan.directory);
  }
  if (program.debian !== undefined) return unpackDebian(program.debian, draft);
  const moduleName = program.module ?? '';
  const module: GoModule | undefined = file.modules[moduleName];
  if (module === undefined) throw new Error(`${name} is provided by toolchain/bootstrap.sh`);
  return goBuild(name, module, program, join(modulesDirectory, moduleName), draft);
}

/** Links a path to a target. At any moment it leads to the old target or the new one. */
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
