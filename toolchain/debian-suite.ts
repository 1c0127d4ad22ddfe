import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { run } from '../packages/lib/command.ts';
import { refuse } from '../packages/lib/problem.ts';
import { checkArchives } from './debian-sums.ts';
import { APT_ENVIRONMENT, explainAptFailure, unpackDebian } from './debian.ts';

/** Debian's own server, for machines that run another distribution. */
const DEBIAN = 'http://deb.debian.org/debian';
const KEYRING = 'usr/share/keyrings/debian-archive-keyring.gpg';

/** Where Debian keeps the libraries of an architecture. */
export interface LibraryPlaces {
  /** Folder of the libraries, and of the loader that starts programs with them. */
  readonly libraries: string;
  readonly loader: string;
  /** Where programs look for that loader. */
  readonly interpreter: string;
}

/** By the architecture's name in Node; paths are relative to the root. */
const ARCHITECTURES: Readonly<Record<string, LibraryPlaces>> = {
  x64: places('x86_64-linux-gnu', 'ld-linux-x86-64.so.2', 'lib64'),
  arm64: places('aarch64-linux-gnu', 'ld-linux-aarch64.so.1', 'lib'),
};

function places(triplet: string, loader: string, folder: string): LibraryPlaces {
  const libraries = `usr/lib/${triplet}`;
  return { libraries, loader: `${libraries}/${loader}`, interpreter: `${folder}/${loader}` };
}

export function libraryPlaces(arch: string = process.arch): LibraryPlaces {
  const found = ARCHITECTURES[arch];
  if (found === undefined) throw new Error(`programs of another Debian release are not provided for ${arch}`);
  return found;
}

/** Dependencies that the machine itself provides: programs have to be linked with its own libraries. */
const FROM_THE_MACHINE = ['gcc (= 99)', 'c-compiler', 'libc-dev', 'binutils (= 99)'];

export interface SuitePackage {
  readonly packageName: string;
  readonly suite: string;
  /** Dependencies that are not needed. */
  readonly without?: readonly string[];
  /** Folders with more libraries, in the folder of libraries. */
  readonly libraries?: readonly string[];
  /** Pattern, in the folder of libraries, of those that programs look for beside themselves. */
  readonly plugins?: string | undefined;
  /** The files that were tested, as `sha256sum` prints them, if the release changes every day. */
  readonly sums?: string | undefined;
  /** Programs of the package that get a script: name and path in the package. */
  readonly programs: Readonly<Record<string, string>>;
}

/**
 * Unpacks a package of another Debian release with everything that it depends on, its C library included, and makes scripts that
 * run its programs with these libraries. Nothing is installed, and the machine's own package lists stay as they are.
 *
 * `final` is the folder that `target` will be renamed to.
 */
export async function unpackFromSuite(wanted: SuitePackage, target: string, final: string): Promise<void> {
  const apt = `${target}.apt`;
  try {
    const env = await separateApt(wanted, apt);
    await installWith(env, wanted, '--download-only');
    const folder = join(apt, 'cache', 'archives');
    const archives = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    if (wanted.sums !== undefined) checkArchives(folder, archives, wanted.sums);
    for (const archive of archives) await run('dpkg-deb', ['-x', join(folder, archive), target]);
  } finally {
    rmSync(apt, { recursive: true, force: true });
  }
  requireFiles(wanted, target);
  linkPlugins(wanted, target);
  mkdirSync(join(target, 'bin'), { recursive: true });
  for (const [name, path] of Object.entries(wanted.programs)) {
    const script = join(target, 'bin', name);
    writeFileSync(script, wrapper(final, name, path, process.arch, wanted.libraries));
    chmodSync(script, 0o755);
  }
}

/**
 * What would be fetched for a package and everything that it depends on: `'address' file size hash`, one line per package. Nothing is
 * fetched but the index.
 */
export async function listInSuite(
  wanted: Omit<SuitePackage, 'programs'>,
  directory: string,
  architecture?: string,
): Promise<{ readonly listing: string; readonly env: NodeJS.ProcessEnv }> {
  const env = await separateApt(wanted, directory, architecture);
  return { listing: await installWith(env, wanted, '--print-uris'), env };
}

/** Lets a separate apt work as if it installed a package; the option says what it does instead. */
async function installWith(
  env: NodeJS.ProcessEnv,
  { packageName, suite }: Pick<SuitePackage, 'packageName' | 'suite'>,
  option: '--download-only' | '--print-uris',
): Promise<string> {
  try {
    await run('apt-get', ['-qq', 'update'], { env });
    return await run('apt-get', ['-qq', '-y', '--no-install-recommends', option, 'install', packageName], { env });
  } catch (error) {
    throw explainAptFailure(`${packageName} of ${suite}`, error);
  }
}

/** A release that changes may move the programs of a package. */
function requireFiles({ packageName, suite, programs }: SuitePackage, root: string): void {
  const missing = Object.values(programs).filter((path) => !existsSync(join(root, path)));
  const object = `Debian package ${packageName} of ${suite}`;
  refuse(missing.map((path) => ({ object, path: 'files', value: path, message: 'is no longer in it' })));
}

/** To a program that is started through the loader, "beside itself" is where the loader is. */
function linkPlugins({ plugins }: SuitePackage, root: string): void {
  if (plugins === undefined) return;
  const folder = join(root, libraryPlaces().libraries);
  for (const path of globSync(join(folder, plugins))) symlinkSync(relative(folder, path), join(folder, basename(path)));
}

/** An apt for one release, as if nothing were installed. It reaches servers in the same way as the machine's own. */
async function separateApt(
  { suite, without, sums }: Pick<SuitePackage, 'suite' | 'without' | 'sums'>,
  directory: string,
  architecture = dpkgArchitecture(),
): Promise<NodeJS.ProcessEnv> {
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'keyring']) {
    mkdirSync(join(directory, folder), { recursive: true });
  }
  const settings = await run('apt-config', ['dump'], { env: APT_ENVIRONMENT });
  const file = (name: string): string => join(directory, name);
  // The index of a release that changes every day is valid for a week, and some servers have an older one. It is still signed.
  const dated = sums === undefined ? '' : 'Acquire::Check-Valid-Until "false";\n';
  const own = `${dated}APT::Architecture "${architecture}";\n`;
  writeFileSync(file('apt.conf'), `${separateSettings(directory, settings)}${own}`);
  writeFileSync(file('status'), providedByTheMachine(architecture, without));
  const source = `deb [signed-by=${await keyring(file('keyring'))}] ${await debianSite()} ${suite} main\n`;
  writeFileSync(file('sources.list'), source);
  return { ...APT_ENVIRONMENT, APT_CONFIG: file('apt.conf') };
}

/** Keeps the machine's settings that say how servers are reached, but not its hooks, sources and preferences. */
export function separateSettings(directory: string, machine: string): string {
  const transport = machine.split('\n').filter((line) => /^Acquire::(https?|Retries|Check-\S+)\b/i.test(line));
  const own = {
    'Dir::State': join(directory, 'state'),
    'Dir::State::status': join(directory, 'status'),
    'Dir::Cache': join(directory, 'cache'),
    'Dir::Etc::main': '/dev/null',
    'Dir::Etc::parts': '/dev/null',
    'Dir::Etc::sourcelist': join(directory, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferences': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Acquire::Languages': 'none',
    'APT::Update::Error-Mode': 'any',
    // apt's unprivileged user cannot read below a home directory.
    'APT::Sandbox::User': 'root',
  };
  return [...transport, ...Object.entries(own).map(([name, value]) => `${name} "${value}";`), ''].join('\n');
}

function providedByTheMachine(architecture: string, without: readonly string[] = []): string {
  const provides = [...FROM_THE_MACHINE, ...without.map((name) => `${name} (= 99)`)];
  return `Package: provided-by-the-machine
Status: install ok installed
Architecture: ${architecture}
Version: 99
Maintainer: nobody <nobody@localhost>
Provides: ${provides.join(', ')}
Description: the linker, and the libraries that programs are linked with
`;
}

function dpkgArchitecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}

/** Debian's keys: those of the machine, or else from a package of its distribution. */
async function keyring(directory: string): Promise<string> {
  if (existsSync(`/${KEYRING}`)) return `/${KEYRING}`;
  await unpackDebian('debian-archive-keyring', directory);
  return join(directory, KEYRING);
}

/** The server that this machine gets its own Debian packages from. */
export async function debianSite(): Promise<string> {
  const args = ['indextargets', '--format', '$(SITE) $(RELEASE)', 'Created-By: Packages'];
  const targets = await run('apt-get', args, { env: APT_ENVIRONMENT });
  return siteOf(targets, readFileSync('/etc/os-release', 'utf8'));
}

/** The site that has the machine's own release, if the machine runs Debian. */
export function siteOf(targets: string, osRelease: string): string {
  const value = (name: string): string | undefined => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(osRelease)?.[1];
  if (value('ID') !== 'debian') return DEBIAN;
  const sites = targets.split('\n').map((line) => line.split(' '));
  return sites.find(([, release]) => release === value('VERSION_CODENAME'))?.[0] ?? DEBIAN;
}

/** A script that runs a program with the C library and the other libraries of its own root. */
export function wrapper(
  root: string,
  name: string,
  path: string,
  arch: string,
  folders: readonly string[] = [],
): string {
  const { libraries, loader } = libraryPlaces(arch);
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const search = ['', ...folders].map((folder) => join(root, libraries, folder)).join(':');
  const command = [join(root, loader), '--argv0', join(root, 'bin', name), '--library-path', search, join(root, path)];
  return `#!/bin/sh
# Programs of the same root find each other. Other programs that they start run with the machine's libraries.
PATH=${quoted(join(root, 'bin'))}:$PATH
export PATH
exec ${command.map(quoted).join(' ')} "$@"
`;
}
