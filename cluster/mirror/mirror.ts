import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildAndPush } from '../../components/images/buildctl.ts';
import { describeCluster } from '../embedded/environment.ts';
import { layoutOf, type Layout } from '../embedded/layout.ts';
import { readSettings } from '../embedded/settings.ts';
import { MIRRORED, recipeOf, type ImageRecipe, type MirroredName } from './images.ts';

/** An image in the embedded registry, and what it was made from. */
interface MirroredImage {
  readonly key: string;
  /** `repository@digest`. */
  readonly ref: string;
}

/** The images depend on pinned programs only, not on when somebody builds them. */
const EPOCH = 0;

type Mirror = Partial<Record<MirroredName, MirroredImage>>;

/** The images that the embedded registry has, by digest. */
export function mirroredImages(layout = layoutOf(readSettings())): Partial<Record<MirroredName, string>> {
  return Object.fromEntries(Object.entries(readMirror(layout)).map(([name, { ref }]) => [name, ref]));
}

/** Builds and pushes the images that are missing or older than their programs; returns the names of those. */
export async function updateMirror(layout = layoutOf(readSettings())): Promise<readonly MirroredName[]> {
  const mirror = readMirror(layout);
  const updated: MirroredName[] = [];
  for (const name of MIRRORED) {
    const recipe = await recipeOf(name);
    const key = recipeKey(recipe);
    if (mirror[name]?.key === key) continue;
    mirror[name] = { key, ref: await push(layout, name, recipe) };
    updated.push(name);
    writeFileSync(mirrorPath(layout), `${JSON.stringify(mirror, undefined, 2)}\n`);
  }
  return updated;
}

async function push(layout: Layout, name: MirroredName, recipe: ImageRecipe): Promise<string> {
  const { buildkit, registry, dockerConfig } = describeCluster(layout);
  const directory = join(layout.run, `mirror-${name}`);
  try {
    writeContext(directory, recipe);
    return await buildAndPush({
      address: buildkit,
      context: directory,
      reference: `${registry}/mirror/${name}:latest`,
      sourceDateEpoch: EPOCH,
      dockerConfig,
    });
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

/** Programs are named after their version, and are never changed in place, so name and size tell them apart. */
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
