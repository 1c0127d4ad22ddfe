import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderReleased } from '../../components/catalog/release.ts';
import type { Part } from '../../components/catalog/parts.ts';
import type { ImageBuild } from '../../components/images/build-image.ts';
import { catalogBuild, filesBuild, type PublishSettings } from '../../components/images/publish.ts';
import { sourceRevision } from '../../components/images/source-revision.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { run } from '../../packages/lib/command.ts';
import { DEPRECATIONS, LOCK, TEMPLATE } from '../commands/catalog/committed.ts';
import { readDeprecations, readState } from '../commands/catalog/files.ts';
import type { Io } from '../io.ts';

const PACKED = ['package-lock.json', 'tsconfig.json'];

/** Of what a part is made, which is what its image is labelled with: another commit makes no other image. */
const SOURCES: Readonly<Record<Exclude<Part, 'catalog'>, readonly string[]>> = {
  policies: ['policies', 'components', 'packages', LOCK, ...PACKED],
  components: ['components', 'packages', ...PACKED],
  cli: [
    'cli',
    'cluster',
    'components',
    'controller',
    'infra',
    'packages',
    'policies',
    'toolchain',
    'package.json',
    ...PACKED,
  ],
};

/** How the image of a part is built; what it is made of is built for that. */
export async function partBuild(part: Part, version: string, settings: PublishSettings, io: Io): Promise<ImageBuild> {
  if (part === 'catalog') {
    const state = await readState(io, join(checkout, TEMPLATE), join(checkout, LOCK));
    const { deprecations } = await readDeprecations(io, join(checkout, DEPRECATIONS));
    // A release of the operator has a catalog of its own under its version.
    const build = catalogBuild(settings, renderReleased(state, deprecations), `catalog-${version}`);
    return { ...build, alsoAs: `${settings.imageBase}-catalog:latest` };
  }
  const files = await filesOf(part);
  const source = sourceRevision(checkout, SOURCES[part], io.env);
  return filesBuild({ ...settings, source }, part, version, files);
}

/** The files of a part as its image has them, under `/<part>/`. */
async function filesOf(part: Exclude<Part, 'catalog'>): Promise<ReadonlyMap<string, string>> {
  if (part === 'cli') {
    // The command line runs from its sources: Node reads TypeScript.
    const listed = await run('git', ['-C', checkout, 'ls-files', '-z', '--', ...SOURCES.cli]);
    return read(checkout, listed.split('\0').filter(Boolean), part);
  }
  await run('npm', ['run', '--silent', 'build', '-w', part], { cwd: checkout });
  if (part === 'policies')
    return read(join(checkout, 'dist', 'policies'), await inside(join(checkout, 'dist', 'policies')), part);
  const folder = join(checkout, 'components');
  const built = (await inside(join(folder, 'dist'))).map((file) => join('dist', file));
  return read(folder, ['package.json', 'README.md', ...built], part);
}

async function inside(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

async function read(folder: string, files: readonly string[], part: Part): Promise<ReadonlyMap<string, string>> {
  const sorted = files.toSorted();
  const texts = await Promise.all(sorted.map((file) => readFile(join(folder, file), 'utf8')));
  return new Map(sorted.map((file, index) => [`${part}/${file}`, texts[index] ?? '']));
}
