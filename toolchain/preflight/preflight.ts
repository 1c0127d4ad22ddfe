import { existsSync, mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../packages/lib/problem.ts';
import { type Lacking, lackingProblems, mayInstall, packagesOf } from '../debian.ts';
import { archivePath, configuredGoProxy, moduleCache } from '../go-proxy.ts';
import { toolchainFor, toolchainProblems } from '../go-toolchain.ts';
import { ask } from '../http.ts';
import { cacheDirectory } from '../places.ts';
import type { Planned } from '../plan.ts';
import { isCompiled, type ProgramsFile } from '../programs-file.ts';
import { packageProblems, suiteProblems } from './debian-packages.ts';
import { moduleProblems, type WantedModule } from './go-modules.ts';
import { fileProblems, wantedFiles } from './registry-files.ts';

/** Disk space for building everything, Go's own cache included, and for programs that are only unpacked. */
const BUILDING_GB = 8;
const UNPACKING_GB = 1;

/** What is about to be done. */
export interface Undertaking {
  readonly toMake: readonly Planned[];
  /** Modules of which data files are wanted. */
  readonly sharing: readonly string[];
  readonly lacking: readonly Lacking[];
}

/**
 * Finds everything that would make the work fail before any time is spent on it: what is missing and cannot be fetched,
 * servers that do not answer, too little disk space.
 */
export async function preflight(file: ProgramsFile, undertaking: Undertaking): Promise<Problem[]> {
  const { toMake, lacking } = undertaking;
  const debian = toMake.flatMap(({ program }) => (program.suite === undefined ? (program.debian ?? []) : []));
  const suites = toMake.flatMap(({ program }) => program.suite ?? []);
  const install = mayInstall() ? packagesOf(lacking) : [];
  const proxy = configuredGoProxy();
  const builds = toMake.some(({ program }) => isCompiled(program));
  const known = [
    ...(mayInstall() ? [] : lackingProblems(lacking)),
    ...toMake.flatMap(({ program }) =>
      program.toolchain === undefined ? [] : toolchainProblems(program, toolchainFor(program), proxy),
    ),
    ...diskProblems(cacheDirectory(), builds ? BUILDING_GB : UNPACKING_GB),
  ];
  const asked = await Promise.all([
    moduleProblems(wantedModules(file, undertaking), proxy, ask),
    packageProblems(unique([...debian, ...install])),
    suiteProblems(unique(suites)),
    fileProblems(wantedFiles(toMake), ask),
  ]);
  return [...known, ...asked.flat()];
}

/** Archives that are not in Go's cache yet, and the release of Go itself if it has to be fetched. */
export function wantedModules(
  file: ProgramsFile,
  { toMake, sharing }: Pick<Undertaking, 'toMake' | 'sharing'>,
  isCached: (path: string) => boolean = (path) => existsSync(join(moduleCache(), 'cache', 'download', path)),
): WantedModule[] {
  const names = unique([...toMake.flatMap(({ program }) => program.module ?? []), ...sharing]);
  const modules = names.flatMap((name): WantedModule[] => {
    const module = file.modules[name];
    const programs = toMake.filter(({ program }) => program.module === name).map((plan) => plan.name);
    if (module === undefined || isCached(archivePath(module.path, module.version))) return [];
    return [{ module: module.path, version: module.version, programs }];
  });
  const toolchains = toMake.flatMap(({ name, program }): WantedModule[] => {
    const toolchain = program.toolchain === undefined ? undefined : toolchainFor(program);
    return toolchain === undefined ? [] : [{ ...toolchain, programs: [name] }];
  });
  return [...toolchains, ...modules];
}

export function diskProblems(directory: string, neededGb: number, freeGb = freeOn(directory)): Problem[] {
  if (freeGb >= neededGb) return [];
  return [
    {
      path: directory,
      value: `${freeGb.toFixed(1)} GB free`,
      message: `has too little space: ${neededGb} GB are needed`,
      remedy: 'Free some space, or set XDG_CACHE_HOME to a folder on a larger disk.',
    },
  ];
}

function freeOn(directory: string): number {
  mkdirSync(directory, { recursive: true });
  const { bavail, bsize } = statfsSync(directory);
  return (bavail * bsize) / 1e9;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
