import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ImageFile, type ImageRecipe, recipe } from './recipe.ts';
import { machineLibraries } from './shared-libraries.ts';

/** Above the ids that a Debian machine gives to people, so that a user who leaves the container is nobody there. */
const USER = '10001:10001';

/** The gateway with the libraries that it is linked to, and the licences of both and of its crates. */
export async function onwardsRecipe(program: string): Promise<ImageRecipe> {
  const files: ImageFile[] = [
    ['usr/bin/onwards', program],
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
