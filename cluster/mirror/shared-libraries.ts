import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, run } from '../../packages/lib/command.ts';
import type { ImageFile } from './recipe.ts';

/** Texts of common licences, to which Debian's copyright files refer. */
const COMMON_LICENCES = 'usr/share/common-licenses';

/** The files that `ldd` names, e.g. `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)`. */
export function sharedLibraries(listing: string): string[] {
  return [...listing.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
}

/** The machine's libraries that a program needs, with the licences of the packages that they belong to. */
export async function machineLibraries(program: string): Promise<ImageFile[]> {
  const libraries = sharedLibraries(await run('ldd', [program]));
  return [...libraries.map(asIs), ...(await licencesOf(libraries)), ...commonLicences()];
}

export function commonLicences(): ImageFile[] {
  const folder = `/${COMMON_LICENCES}`;
  return existsSync(folder) ? readdirSync(folder).map((name) => asIs(join(folder, name))) : [];
}

/** What dpkg knows about some paths. It fails if it does not know one of them, and names the others all the same. */
async function search(paths: readonly string[]): Promise<string> {
  return run('dpkg-query', ['--search', ...paths]).catch((error: unknown) => {
    if (error instanceof CommandError) return error.output;
    throw error;
  });
}

/** Packages in lines such as `libssl3:amd64: /usr/lib/x86_64-linux-gnu/libssl.so.3`. */
export function packageNames(found: string): string[] {
  return [...found.matchAll(/^([a-z0-9][a-z0-9.+-]*)(?::\w+)?: \//gm)].map((match) => match[1] ?? '');
}

function asIs(path: string): ImageFile {
  return [path.slice(1), path];
}

/** Copyright files of the packages that installed some files. */
async function licencesOf(files: readonly string[]): Promise<ImageFile[]> {
  const packages = new Set<string>();
  for (const file of files) {
    // dpkg knows a file by the path in its package, which need not be the one that the loader found it by.
    const paths = [file, realpathSync(file)].flatMap((path) => [path, `/usr${path}`, path.replace(/^\/usr/, '')]);
    for (const name of packageNames(await search(paths))) packages.add(name);
  }
  const copyrights = [...packages].map((name) => `/usr/share/doc/${name}/copyright`);
  return copyrights.filter((path) => existsSync(path)).map(asIs);
}
