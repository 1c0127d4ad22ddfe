import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../packages/lib/command.ts';
import { binDirectory } from '../../toolchain/places.ts';

/** Images that other clusters pull from public registries. For the embedded one, programs built here are packed. */
export const MIRRORED = ['node', 'catalogd', 'operator-controller'] as const;

/** The oldest OLM that is supported, on request: the end-to-end tests upgrade from it. */
export const MIRRORED_OLDEST = ['catalogd-1.5', 'operator-controller-1.5'] as const;

export type MirroredName = (typeof MIRRORED)[number] | (typeof MIRRORED_OLDEST)[number];

/** An image made of files of this machine. */
export interface ImageRecipe {
  /** Files by their path in the image. */
  readonly files: ReadonlyMap<string, string>;
  readonly dockerfile: string;
}

/** The user "nobody", for images that own no files. */
const USER = '65532:65532';

/** What an image is made of. Programs come from .tools/bin, so `make tools` has to run first. */
export async function recipeOf(name: MirroredName): Promise<ImageRecipe> {
  const program = realpathSync(join(binDirectory, name));
  return name === 'node' ? nodeRecipe(program) : staticRecipe(name, program);
}

/** OLM's manifest starts the programs at the root of their images, by the name that they have in every version. */
export function staticRecipe(name: string, program: string): ImageRecipe {
  const file = name.replace(/-1\.5$/, '');
  return {
    files: new Map([[file, program]]),
    dockerfile: `FROM scratch\nCOPY root/ /\nUSER ${USER}\nENTRYPOINT ["/${file}"]\n`,
  };
}

/** Node with the shared libraries that it is linked to, and nothing else: no shell, no package manager. */
async function nodeRecipe(program: string): Promise<ImageRecipe> {
  const libraries = sharedLibraries(await run('ldd', [program]));
  return {
    files: new Map([['usr/bin/node', program], ...libraries.map((path): [string, string] => [path.slice(1), path])]),
    dockerfile: `FROM scratch\nCOPY root/ /\nENV PATH=/usr/bin\nUSER ${USER}\nENTRYPOINT ["/usr/bin/node"]\n`,
  };
}

/** The files that `ldd` names, e.g. `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)`. */
export function sharedLibraries(listing: string): string[] {
  return [...listing.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
}
