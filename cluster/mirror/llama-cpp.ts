import { existsSync, globSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { run } from '../../packages/lib/command.ts';
import { libraryPlaces } from '../../toolchain/debian-suite.ts';
import { collectedLicences, commonLicences } from './licences.ts';
import { type ImageFile, type ImageRecipe, NOBODY_ELSEWHERE, recipe } from './recipe.ts';
import { machineLibraries, sharedLibraries } from './shared-libraries.ts';

const SERVER = 'usr/bin/llama-server';

/** Where the image has its model; the example names the file. */
const MODELS = 'models';

/**
 * llama.cpp's own server and a model. `program` is what the toolchain links: a script in the root of a newer Debian, beside the
 * packages' own files, or a program that was built on this machine.
 */
export async function llamaCppRecipe(program: string, model: string): Promise<ImageRecipe> {
  const root = join(dirname(program), '..');
  const server = existsSync(join(root, SERVER)) ? await packagedServer(root) : await builtServer(program);
  const files: ImageFile[] = [...server, [join(MODELS, basename(model)), model], ...modelLicence(model)];
  return recipe(files, { entrypoint: `/${SERVER}`, user: NOBODY_ELSEWHERE, ports: [8080] });
}

/** The image gets the C library of the newer Debian too: the machine's own is too old for the server. */
async function packagedServer(root: string): Promise<ImageFile[]> {
  const { libraries, loader, interpreter } = libraryPlaces();
  const folder = join(root, libraries);
  const args = ['--library-path', `${folder}:${join(folder, 'llama')}`, '--list', join(root, SERVER)];
  const linked = sharedLibraries(await run(join(root, loader), args));
  // The server chooses one of these by the processor that it finds.
  const backends = globSync(join(folder, 'ggml', '*', '*.so'));
  return [
    [SERVER, join(root, SERVER)],
    [interpreter, join(root, loader)],
    ...[...linked, ...backends].map((path): ImageFile => [relative(root, path), path]),
    ...packageLicences(root),
    ...commonLicences(),
  ];
}

async function builtServer(program: string): Promise<ImageFile[]> {
  const licences = collectedLicences(join(dirname(program), 'licences'));
  return [[SERVER, program], ...(await machineLibraries(program)), ...licences];
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
