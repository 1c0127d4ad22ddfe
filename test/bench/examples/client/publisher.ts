import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { mirroredImages } from '../../../../cluster/mirror/mirror.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import type { TestCluster } from '../../../support/embedded/test-cluster.ts';
import type { Steps } from './steps.ts';

/** What a release consists of for those who consume it. */
export interface Published {
  /** The catalog by digest. */
  readonly catalog: string;
  /** The file with the makers' public key. */
  readonly key: string;
  /** The file that npm installs. */
  readonly components: string;
}

/** What npm has fetched before is not fetched again: what is measured is not the network. */
export const QUIETLY = ['--prefer-offline', '--loglevel=error', '--no-audit', '--no-fund'];

/** Whoever makes the release. */
const MAKER = { name: 'Maker', email: 'maker@example.com' };
const IDENTITY = {
  GIT_AUTHOR_NAME: MAKER.name,
  GIT_AUTHOR_EMAIL: MAKER.email,
  GIT_COMMITTER_NAME: MAKER.name,
  GIT_COMMITTER_EMAIL: MAKER.email,
};

/** A clone of what is committed here. */
export async function clone(directory: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--no-hardlinks', checkout, directory]);
}

/** Those who make a release: in a clone of their own, with a builder and a key, by `make release`. */
export async function publish(steps: Steps, cluster: TestCluster, directory: string): Promise<Published> {
  const { registry, buildkit, dockerConfig, ca } = cluster.environment;
  const keys = join(directory, 'keys');
  const source = join(directory, 'clone');
  const env = {
    ...cluster.env,
    ...IDENTITY,
    IMAGE_TAG_BASE: `${registry}/fleet/operator`,
    // The registry of this cluster has a base image for its own platform, and no scanner that finds packages.
    IMAGE_PLATFORMS: 'linux/amd64',
    BASE_IMAGE: mirroredImages(cluster.layout).node,
    SBOM: '0',
    BUILDKIT_HOST: buildkit,
    DOCKER_CONFIG: dockerConfig,
    COSIGN_KEY: join(keys, 'cosign.key'),
    COSIGN_PASSWORD: '',
  };
  mkdirSync(keys, { recursive: true });
  await steps.run('publisher: clone and npm ci', async () => {
    await clone(source);
    await run('npm', ['ci', ...QUIETLY], { cwd: source });
    await run('cosign', ['generate-key-pair'], { cwd: keys, env });
  });
  const catalog = await steps.run('publisher: make release VERSION=v3.0.0 CHANNEL=stable', async () => {
    const args = ['release', 'VERSION=v3.0.0', 'CHANNEL=stable', `ARGS=--ca ${ca}`];
    const output = await run('make', args, { cwd: source, env });
    return output.match(/\S+-catalog@sha256:[0-9a-f]{64}/g)?.at(-1) ?? '';
  });
  if (catalog === '') throw new Error('the release names no catalog');
  const file = await steps.run('publisher: make components-pack', async () =>
    (await run('make', ['components-pack'], { cwd: source, env })).trim().split(/\s+/).at(-1),
  );
  return { catalog, key: join(keys, 'cosign.pub'), components: join(source, 'dist', file ?? '') };
}
