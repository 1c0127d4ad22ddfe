import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAndPush } from '../../components/images/buildctl.ts';
import type { EmbeddedCluster } from '../embedded/environment.ts';
import { writePrivate } from '../embedded/files.ts';
import type { Progress } from '../progress.ts';
import { binDirectory } from '../tools/places.ts';
import { nodeBaseContext, programContext } from './contexts.ts';

/** Images that would otherwise be pulled from the internet, as `repo@digest` in the embedded registry. */
export interface LocalImages {
  readonly nodeBase: string;
  readonly operatorController: string;
  readonly catalogd: string;
}

interface Recipe {
  readonly key: keyof LocalImages;
  readonly repository: string;
  readonly program: string;
  readonly context: (directory: string, program: string) => Promise<void> | void;
}

const RECIPES: readonly Recipe[] = [
  { key: 'nodeBase', repository: 'inference-stack-fleet/node', program: 'node', context: nodeBaseContext },
  olmRecipe('operatorController', 'operator-controller'),
  olmRecipe('catalogd', 'catalogd'),
];

/** How many steps a progress display has to count. */
export const PUBLISH_STEPS = RECIPES.length;

/** Images are dated like this: they depend on pinned programs only, not on when somebody builds them. */
const EPOCH = 0;

/** Builds what is not in the registry yet. A program of another version gives another image. */
export async function publishLocalImages(cluster: EmbeddedCluster, progress: Progress): Promise<LocalImages> {
  const record = recordPath(cluster);
  const known = existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as Record<string, string>) : {};
  const images: Record<string, string> = {};
  for (const recipe of RECIPES) {
    const program = realpathSync(join(binDirectory, recipe.program));
    const tag = createHash('sha256').update(program).digest('hex').slice(0, 12);
    const reference = `${cluster.registry}/${recipe.repository}:${tag}`;
    const step = progress.start(`image ${recipe.repository}`, known[reference] === undefined ? 10 : undefined);
    try {
      const image = known[reference] ?? (await build(cluster, recipe, reference, program));
      step.done(known[reference] === undefined ? 'pushed' : 'already there');
      known[reference] = image;
      images[recipe.key] = image;
    } catch (error) {
      step.failed();
      throw error;
    }
    writePrivate(record, `${JSON.stringify(known, undefined, 2)}\n`);
  }
  return images as unknown as LocalImages;
}

/** The record lives and dies with the registry that it describes. */
function recordPath(cluster: EmbeddedCluster): string {
  return join(cluster.dockerConfig, '..', 'images.json');
}

async function build(cluster: EmbeddedCluster, recipe: Recipe, reference: string, program: string): Promise<string> {
  const context = mkdtempSync(join(tmpdir(), 'fleet-context-'));
  try {
    await recipe.context(context, program);
    return await buildAndPush({
      address: cluster.buildkit,
      context,
      reference,
      sourceDateEpoch: EPOCH,
      dockerConfig: cluster.dockerConfig,
    });
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

function olmRecipe(key: keyof LocalImages, program: string): Recipe {
  const context = (directory: string, path: string): void => programContext(directory, program, path);
  return { key, repository: `inference-stack-fleet/${program}`, program, context };
}
