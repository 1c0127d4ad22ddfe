import { existsSync, globSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { run } from '../../packages/lib/command.ts';
import { libraryPlaces } from '../../toolchain/debian-suite.ts';
import { type ImageFile, type ImageRecipe, recipe } from './recipe.ts';
import { commonLicences, sharedLibraries } from './shared-libraries.ts';

/** Above the ids that a Debian machine gives to people, so that a user who leaves the container is nobody there. */
const USER = '10001:10001';

const SERVER = 'usr/bin/llama-server';

/** Where the image has its model; the example names the file. */
const MODELS = 'models';

/**
 * llama.cpp's own server and a model. The server comes from a newer Debian than the machine's, so the image has that Debian's C
 * library too. `script` is the toolchain's script in that Debian's root, beside the packages' own files.
 */
export async function llamaCppRecipe(script: string, model: string): Promise<ImageRecipe> {
  const root = join(dirname(script), '..');
  const { libraries, loader, interpreter } = libraryPlaces();
  const folder = join(root, libraries);
  const args = ['--library-path', `${folder}:${join(folder, 'llama')}`, '--list', join(root, SERVER)];
  const linked = sharedLibraries(await run(join(root, loader), args));
  // The server chooses one of these by the processor that it finds.
  const backends = globSync(join(folder, 'ggml', '*', '*.so'));
  const files: ImageFile[] = [
    [SERVER, join(root, SERVER)],
    [interpreter, join(root, loader)],
    ...[...linked, ...backends].map((path): ImageFile => [relative(root, path), path]),
    [join(MODELS, basename(model)), model],
    ...packageLicences(root),
    ...commonLicences(),
    ...modelLicence(model),
  ];
  return recipe(files, { entrypoint: `/${SERVER}`, user: USER, ports: [8080] });
}

/** Debian's copyright files of the packages that were unpacked. */
function packageLicences(root: string): ImageFile[] {
  return readdirSync(join(root, 'usr/share/doc'))
    .map((name) => join('usr/share/doc', name, 'copyright'))
    .filter((path) => existsSync(join(root, path)))
    .map((path) => [path, realpathSync(join(root, path))]);
}

/** The licence in the wheel that the model came in. */
function modelLicence(model: string): ImageFile[] {
  const [licence] = globSync(join(dirname(model), '..', '*.dist-info', 'LICENSE'));
  return licence === undefined ? [] : [[join('licenses', basename(model), 'LICENSE'), licence]];
}
