import { run } from '../../packages/lib/command.ts';
import { commonLicences, licencesOf } from './licences.ts';
import { asIs, type ImageFile } from './recipe.ts';

/** The files that `ldd` names, e.g. `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)`. */
export function sharedLibraries(listing: string): string[] {
  return [...listing.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
}

/** The machine's libraries that a program needs, with the licences of the packages that they belong to. */
export async function machineLibraries(program: string): Promise<ImageFile[]> {
  const libraries = sharedLibraries(await run('ldd', [program]));
  return [...libraries.map(asIs), ...(await licencesOf(libraries)), ...commonLicences()];
}
