import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectedLicences } from './licences.ts';
import { type ImageFile, type ImageRecipe, NOBODY_ELSEWHERE, recipe } from './recipe.ts';
import { machineLibraries } from './shared-libraries.ts';

/** What the operator's script for the table of routes runs: one program, which does what its name says. */
const SHELL = ['sh', 'cat', 'sleep'] as const;

/** The gateway and a shell, with the libraries that they are linked to, and the licences of all of them and of the gateway's crates. */
export async function onwardsRecipe(program: string, busybox: string): Promise<ImageRecipe> {
  const files: ImageFile[] = [
    ['usr/bin/onwards', program],
    ...SHELL.map((name): ImageFile => [join('bin', name), busybox]),
    ...shellLicence(busybox),
    ...(await machineLibraries(program)),
    ...collectedLicences(join(dirname(program), 'licences')),
  ];
  return recipe(files, { entrypoint: '/usr/bin/onwards', user: NOBODY_ELSEWHERE, ports: [3000, 9090] });
}

/** The package's copyright file: the program is in its /bin or, since Debian 13, in its /usr/bin. */
function shellLicence(busybox: string): ImageFile[] {
  return ['../usr/share', '../share']
    .map((folder) => join(dirname(busybox), folder, 'doc/busybox-static/copyright'))
    .filter((path) => existsSync(path))
    .map((path) => ['licenses/busybox/copyright', path]);
}
