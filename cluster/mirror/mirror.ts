import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildImage } from '../../components/images/build-image.ts';
import { Progress } from '../../packages/lib/progress.ts';
import { describeCluster } from '../embedded/description.ts';
import { configuredLayout, type Layout } from '../embedded/layout.ts';
import { MIRRORED, recipeOf, type MirroredName } from './images.ts';
import type { ImageRecipe } from './recipe.ts';

/** An image in the embedded registry, and what it was made from. */
interface MirroredImage {
  readonly key: string;
  /** `repository@digest`. */
  readonly ref: string;
}

/** A fixed time: images depend only on the pinned programs, not on when they are built. */
const EPOCH = 0;

/** How long one image takes on 2 cores; it feeds the progress line. */
const PUSH_SECONDS = 12;

type Mirror = Partial<Record<MirroredName, MirroredImage>>;

/** The images that the embedded registry has, by digest. */
export function mirroredImages(layout = configuredLayout()): Partial<Record<MirroredName, string>> {
  return Object.fromEntries(Object.entries(readMirror(layout)).map(([name, { ref }]) => [name, ref]));
}

/** Builds and pushes the images that are missing or older than their programs, one step each. */
export async function updateMirror(
  layout = configuredLayout(),
  names: readonly MirroredName[] = MIRRORED,
): Promise<void> {
  const mirror = readMirror(layout);
  const wanted = await Promise.all(names.map(async (name) => ({ name, recipe: await recipeOf(name) })));
  const outdated = wanted.filter(({ name, recipe }) => mirror[name]?.key !== recipeKey(recipe));
  const progress = new Progress(outdated.length);
  for (const { name, recipe } of outdated) {
    const ref = await progress.run(`image ${name} for the cluster`, PUSH_SECONDS, () => push(layout, name, recipe));
    mirror[name] = { key: recipeKey(recipe), ref };
    writeFileSync(mirrorPath(layout), `${JSON.stringify(mirror, undefined, 2)}\n`);
  }
}

async function push(layout: Layout, name: MirroredName, recipe: ImageRecipe): Promise<string> {
  const { buildkit, registry, dockerConfig } = describeCluster(layout);
  const directory = join(layout.run, `mirror-${name}`);
  try {
    writeContext(directory, recipe);
    const reference = `${registry}/mirror/${name}:latest`;
    const build = { context: directory, reference, sourceDateEpoch: EPOCH };
    return await buildImage(build, { address: buildkit, dockerConfig });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function writeContext(directory: string, { files, dockerfile }: ImageRecipe): void {
  for (const [target, source] of files) {
    const path = join(directory, 'root', target);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(source, path);
  }
  writeFileSync(join(directory, 'Dockerfile'), dockerfile);
}

/** Programs have their version in the name and are never changed in place, so name and size identify them. */
function recipeKey({ files, dockerfile }: ImageRecipe): string {
  const parts = [...files].map(([target, source]) => `${target} ${source} ${statSync(source).size}`);
  return createHash('sha256')
    .update([dockerfile, ...parts].join('\n'))
    .digest('hex');
}

function readMirror(layout: Layout): Mirror {
  const path = mirrorPath(layout);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Mirror) : {};
}

function mirrorPath(layout: Layout): string {
  return join(layout.root, 'mirror.json');
}
