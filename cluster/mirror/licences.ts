import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CommandError, run } from '../../packages/lib/command.ts';
import { asIs, type ImageFile } from './recipe.ts';

/** Texts of common licences, to which Debian's copyright files refer. */
const COMMON_LICENCES = '/usr/share/common-licenses';

export function commonLicences(): ImageFile[] {
  if (!existsSync(COMMON_LICENCES)) return [];
  return readdirSync(COMMON_LICENCES).map((name) => asIs(join(COMMON_LICENCES, name)));
}

/** Licences that were collected when a program was built. */
export function collectedLicences(folder: string): ImageFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [join('licenses', relative(folder, path)), path]);
}

/** Copyright files of the packages that installed some files on this machine. */
export async function licencesOf(files: readonly string[]): Promise<ImageFile[]> {
  const packages = new Set<string>();
  for (const file of files) {
    // dpkg knows a file by the path in its package, which need not be the one that the loader found it by.
    const paths = [file, realpathSync(file)].flatMap((path) => [path, `/usr${path}`, path.replace(/^\/usr/, '')]);
    for (const name of packageNames(await search(paths))) packages.add(name);
  }
  const copyrights = [...packages].map((name) => `/usr/share/doc/${name}/copyright`);
  return copyrights.filter((path) => existsSync(path)).map(asIs);
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
