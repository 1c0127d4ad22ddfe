import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import type { Change } from './changes.ts';

/** A Go module that programs are built from. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
  readonly why: string;
  readonly tags?: readonly string[];
  readonly ldflags?: readonly string[];
  /** What differs from the released source. */
  readonly changes?: readonly Change[];
  /** Modules that the public checksum database does not know; for them the committed go.sum is all there is. */
  readonly unlisted?: readonly string[];
  /** Version of the libraries that upstream requires as v0.0.0, because it keeps them in the same repository. */
  readonly stagingVersion?: string;
  /** `name: path`, files of the module's source that are linked into .tools/share. */
  readonly share?: Readonly<Record<string, string>>;
}

/** A file or folder that ends up in .tools/bin under the program's name. */
export interface Program {
  readonly module?: string;
  readonly package?: string;
  readonly debian?: string;
  /** The Debian release of the package, if it is not the machine's own. The package then brings its own libraries. */
  readonly suite?: string;
  /**
   * The release changes every day: what is fetched is compared with the tested files in toolchain/programs/<name>/SHA256SUMS, and
   * its index may be past its date.
   */
  readonly moving?: boolean;
  /** Dependencies of that package which its programs run without: they are not fetched. */
  readonly without?: readonly string[];
  /** Folders of that package, in the folder of its libraries, where programs find more libraries. */
  readonly libraries?: readonly string[];
  /** Pattern, in the same folder, of libraries that programs look for beside themselves. */
  readonly plugins?: string;
  /** What the program is made of where the package of that release cannot be had. */
  readonly otherwise?: Program;
  /** A crate of crates.io. Its Cargo.lock pins every dependency, so `sha256` pins them all. */
  readonly crate?: string;
  /** A project on PyPI, of which a wheel is unpacked. */
  readonly wheel?: string;
  /** A project on PyPI, whose source archive has a program that cmake builds. */
  readonly sdist?: string;
  /** The folder of that source with the program's CMakeLists.txt. */
  readonly cmake?: string;
  /** `NAME=value`, settings for cmake. */
  readonly defines?: readonly string[];
  /** What building needs of the system: `command: package`. */
  readonly needs?: Readonly<Record<string, string>>;
  /** SHA-256 of the crate, the wheel or the source archive. */
  readonly sha256?: string;
  readonly npm?: string;
  /** The module under which Go publishes its releases. */
  readonly toolchain?: string;
  readonly version?: string;
  /** Go's checksum of the toolchain's files, by architecture as Node names it. */
  readonly h1?: Readonly<Record<string, string>>;
  /** Path inside what a package unpacks to. */
  readonly file?: string;
  /** Versions that are taken from PATH; without it, PATH is not searched. */
  readonly accept?: string;
  /** Arguments that make the program print its version. */
  readonly probe?: string;
  /** Another program, in whose folder this one is looked for, because the two belong together. */
  readonly besides?: string;
  /** `kind-name@version`: the name of a Pulumi plugin in Pulumi's own plugin folder. */
  readonly plugin?: string;
  readonly seconds: number;
}

export interface ProgramsFile {
  readonly modules: Readonly<Record<string, GoModule>>;
  readonly programs: Readonly<Record<string, Program>>;
  /** What a group needs of the system: `command: package`, or the path of a file instead of a command. */
  readonly system: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

/** What problems are problems of. */
const object = 'programs.yaml';

/** Where a program can come from. */
const SOURCES = ['module', 'debian', 'npm', 'toolchain', 'crate', 'wheel', 'sdist'] as const;

/** Reads the file and checks that every name in it exists. */
export function readProgramsFile(path: string | URL): ProgramsFile {
  const file = yaml.load(readFileSync(path, 'utf8')) as ProgramsFile;
  refuse(checkProgramsFile(file));
  return file;
}

export function checkProgramsFile(file: ProgramsFile): Problem[] {
  const problems = Object.entries(file.programs).flatMap(([name, program]) =>
    checkProgram(file, `programs.${name}`, program),
  );
  for (const [name, members] of Object.entries(file.groups)) {
    for (const value of members.filter((member) => file.programs[member] === undefined && !shares(file, member))) {
      const message = 'names neither a program nor a module that shares files';
      problems.push({ object, path: `groups.${name}`, value, message });
    }
  }
  for (const value of Object.keys(file.system).filter((group) => file.groups[group] === undefined)) {
    problems.push({ object, path: 'system', value, message: 'is not a group' });
  }
  return problems;
}

function checkProgram(file: ProgramsFile, path: string, program: Program): Problem[] {
  const problems: Problem[] = [];
  if (SOURCES.filter((source) => program[source] !== undefined).length !== 1) {
    problems.push({ object, path, message: `needs exactly one of ${SOURCES.join(', ')}` });
  }
  const missing = requiredFields(program).filter((field) => program[field] === undefined);
  problems.push(...missing.map((field) => ({ object, path: `${path}.${field}`, message: 'is missing' })));
  if (program.module !== undefined && file.modules[program.module] === undefined) {
    const remedy = `Known modules: ${Object.keys(file.modules).join(', ')}.`;
    problems.push({ object, path: `${path}.module`, value: program.module, message: 'is not a module', remedy });
  }
  if (program.otherwise === undefined) return problems;
  if (program.suite === undefined) {
    problems.push({ object, path: `${path}.otherwise`, message: 'is only for a package of another Debian release' });
  }
  return [...problems, ...checkProgram(file, `${path}.otherwise`, program.otherwise)];
}

/** What has to be said of a program, by where it comes from. */
function requiredFields(program: Program): readonly (keyof Program)[] {
  if (program.module !== undefined) return ['package'];
  const pinned = ['version', 'sha256'] as const;
  if (program.crate !== undefined) return pinned;
  if (program.sdist !== undefined) return [...pinned, 'cmake'];
  return program.wheel === undefined ? ['file'] : [...pinned, 'file'];
}

/** Whether a program is compiled on this machine, and not only unpacked. */
export function isCompiled(program: Program): boolean {
  return (program.module ?? program.crate ?? program.sdist) !== undefined;
}

function shares(file: ProgramsFile, module: string): boolean {
  return file.modules[module]?.share !== undefined;
}

/** What groups and names stand for. */
export interface Selection {
  /** Each once, in the order of the file, because later ones reuse what earlier ones compiled. */
  readonly programs: readonly string[];
  /** Modules whose files are wanted: those of the programs, and those that are named themselves. */
  readonly sharing: readonly string[];
}

export function select(file: ProgramsFile, names: readonly string[]): Selection {
  const known = (name: string): boolean => file.programs[name] !== undefined || shares(file, name);
  refuse(
    names
      .filter((name) => file.groups[name] === undefined && !known(name))
      .map((value) => ({
        path: 'program',
        value,
        message: 'is neither a program nor a group',
        remedy: `Groups: ${Object.keys(file.groups).join(', ')}. Programs: ${Object.keys(file.programs).join(', ')}.`,
      })),
  );
  const wanted = new Set(names.flatMap((name) => file.groups[name] ?? [name]));
  const programs = Object.keys(file.programs).filter((name) => wanted.has(name));
  const modules = new Set([...wanted, ...programs.map((name) => file.programs[name]?.module ?? '')]);
  return { programs, sharing: Object.keys(file.modules).filter((name) => modules.has(name) && shares(file, name)) };
}
