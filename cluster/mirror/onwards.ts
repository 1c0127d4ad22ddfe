import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ImageFile, type ImageRecipe, recipe } from './recipe.ts';
import { machineLibraries } from './shared-libraries.ts';

/** Above the ids that a Debian machine gives to people, so that a user who leaves the container is nobody there. */
const USER = '10001:10001';

/** What the operator's script for the table of routes runs: one program, which does what its name says. */
const SHELL = ['sh', 'cat', 'sleep'] as const;

/** The gateway and a shell, with the libraries that they are linked to, and the licences of all of them and of the gateway's crates. */
export async function onwardsRecipe(program: string, busybox: string): Promise<ImageRecipe> {
  const files: ImageFile[] = [
    ['usr/bin/onwards', program],
    ...SHELL.map((name): ImageFile => [join('bin', name), busybox]),
    ['licenses/busybox/copyright', join(dirname(busybox), '../usr/share/doc/busybox-static/copyright')],
    ...(await machineLibraries(program)),
    ...crateLicences(join(dirname(program), 'licences')),
  ];
  return recipe(files, { entrypoint: '/usr/bin/onwards', user: USER, ports: [3000, 9090] });
}

/** The licences that were collected when the program was built. */
export function crateLicences(folder: string): ImageFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [join('licenses', relative(folder, path)), path]);
}
