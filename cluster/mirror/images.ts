import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binDirectory } from '../../toolchain/places.ts';
import { llamaCppRecipe } from './llama-cpp.ts';
import { onwardsRecipe } from './onwards.ts';
import { type ImageFile, type ImageRecipe, recipe } from './recipe.ts';
import { machineLibraries } from './shared-libraries.ts';

/** Images that other clusters pull from public registries. For the embedded one, programs built here are packed. */
export const MIRRORED = ['node', 'catalogd', 'operator-controller'] as const;

/** What serves a model. Their programs cannot be provided everywhere. */
export const MIRRORED_SERVING = ['onwards', 'llama-cpp'] as const;

/** The oldest OLM that is supported, on request: the end-to-end tests upgrade from it. */
export const MIRRORED_OLDEST = ['catalogd-1.5', 'operator-controller-1.5'] as const;

export type MirroredName =
  (typeof MIRRORED)[number] | (typeof MIRRORED_SERVING)[number] | (typeof MIRRORED_OLDEST)[number];

/** Programs that an image is made of, where that is not the one of the same name. */
const PROGRAMS: Partial<Record<MirroredName, readonly string[]>> = {
  onwards: ['onwards', 'busybox'],
  'llama-cpp': ['llama-server', 'smollm2'],
};

/** The user "nobody", for images that own no files. */
const USER = '65532:65532';

/** The images of a list whose programs are all there. */
export function possibleImages(names: readonly MirroredName[], directory = binDirectory): MirroredName[] {
  return names.filter((name) => programsOf(name).every((program) => existsSync(join(directory, program))));
}

/** What an image is made of. Programs come from .tools/bin, so `make tools` has to run first. */
export async function recipeOf(name: MirroredName): Promise<ImageRecipe> {
  const [program = '', second = ''] = programsOf(name).map((part) => realpathSync(join(binDirectory, part)));
  if (name === 'node') return nodeRecipe(program);
  if (name === 'onwards') return onwardsRecipe(program, second);
  return name === 'llama-cpp' ? llamaCppRecipe(program, second) : staticRecipe(name, program);
}

function programsOf(name: MirroredName): readonly string[] {
  return PROGRAMS[name] ?? [name];
}

/** OLM's manifest starts the programs at the root of their images, by the name that they have in every version. */
export function staticRecipe(name: string, program: string): ImageRecipe {
  const file = name.replace(/-1\.5$/, '');
  return recipe([[file, program]], { entrypoint: `/${file}`, user: USER });
}

/** Node with the shared libraries that it is linked to. */
async function nodeRecipe(program: string): Promise<ImageRecipe> {
  const licence = join(dirname(program), '..', 'LICENSE');
  const licences: ImageFile[] = existsSync(licence) ? [['licenses/node/LICENSE', licence]] : [];
  const files: ImageFile[] = [['usr/bin/node', program], ...(await machineLibraries(program)), ...licences];
  return recipe(files, { entrypoint: '/usr/bin/node', user: USER, lines: ['ENV PATH=/usr/bin'] });
}
