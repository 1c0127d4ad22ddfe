import { join } from 'node:path';
import { cmakeRecipe } from './cmake-build.ts';
import { debianRecipe } from './debian.ts';
import { testedSums } from './debian-sums.ts';
import { goRecipe } from './go-build.ts';
import { cacheDirectory, modulesDirectory } from './places.ts';
import type { Program, ProgramsFile } from './programs-file.ts';
import { rustRecipe } from './rust-build.ts';

/** The state of a program before anything is done. */
export interface Planned {
  readonly name: string;
  readonly program: Program;
  readonly version: string;
  /** The path that .tools/bin/<name> has to link to. */
  readonly product: string;
  /** Folder in the cache that holds the product. */
  readonly directory: string;
  /** The same program from its other source. */
  readonly otherwise?: Planned;
}

export function planProgram(file: ProgramsFile, name: string): Planned {
  const program = file.programs[name];
  if (program === undefined) throw new Error(`no program ${name} in programs.yaml`);
  const plan = planSource(file, name, program);
  const { otherwise } = program;
  return otherwise === undefined ? plan : { ...plan, otherwise: planSource(file, name, otherwise) };
}

function planSource(file: ProgramsFile, name: string, program: Program): Planned {
  const { version = '' } = program;
  const planned = (folder: string, path = program.file ?? name, shown = version): Planned => {
    const directory = join(cacheDirectory(), 'programs', folder);
    return { name, program, version: shown, directory, product: join(directory, path) };
  };
  const module = program.module === undefined ? undefined : file.modules[program.module];
  if (module !== undefined && program.module !== undefined) {
    const recipe = goRecipe(module, program, join(modulesDirectory, program.module));
    return planned(`${name}-${module.version}-${recipe}`, name, module.version);
  }
  if (program.toolchain !== undefined) return planned(`${name}-${version}-${process.arch}`);
  if (program.crate !== undefined) return planned(`${name}-${version}-${rustRecipe(program)}`);
  if (program.sdist !== undefined) return planned(`${name}-${version}-${cmakeRecipe(program)}`);
  if (program.wheel !== undefined) return planned(`${name}-${version}-${(program.sha256 ?? '').slice(0, 12)}`);
  const source = program.debian ?? program.npm ?? name;
  const folder = `${source}-debian-${debianRecipe(program, sumsOf(name, program))}`;
  if (program.suite === undefined) return planned(folder, undefined, 'from Debian');
  // A package of another release is run by a script, which is beside the package's own files.
  return planned(folder, join('bin', name), `from Debian ${program.suite}`);
}

/** The tested files of a package whose release changes every day. */
export function sumsOf(name: string, { moving }: Program): string | undefined {
  return moving === true ? testedSums(name) : undefined;
}
