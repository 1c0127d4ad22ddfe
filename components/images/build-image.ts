import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, isMissingCommand, run } from '../../packages/lib/command.ts';
import { textAt } from '../../packages/lib/json.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { byDigest } from '../registry/reference.ts';
import type { Manifest } from '../registry/registry-client.ts';
import type { Attestations } from './attestations.ts';
import type { Export } from './build-files.ts';
import { buildctlArgs } from './buildctl.ts';
import { buildxArgs } from './buildx.ts';
import { imageManifests } from './image-manifests.ts';
import { pushReference } from './image-spec.ts';

/** An image that is built from a folder and pushed. */
export interface ImageBuild {
  /** Folder with the Dockerfile and everything that it copies. */
  readonly context: string;
  /** Name and tag to push to. */
  readonly reference: string;
  /** Another name that is pushed before it, so that whoever finds the reference finds that one moved, too. */
  readonly alsoAs?: string;
  readonly buildArgs?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Seconds since 1970 that every file and the image itself are dated with: the same input gives the same digest. */
  readonly sourceDateEpoch: number;
  /** Platforms to build for; by default, that of the daemon. */
  readonly platforms?: readonly string[];
  /** Build again what the daemon has built before. */
  readonly noCache?: boolean;
  /** Attached to the image; none by default. */
  readonly attestations?: Attestations;
}

/** Where BuildKit is, outside of a Pulumi program: a daemon at an address, or the one that `docker buildx` uses. */
export interface BuildKitAccess {
  /** `unix://…` or `tcp://…`. */
  readonly address?: string;
  readonly dockerConfig?: string;
}

/** Builds and pushes an image; returns `repository@digest`. */
export async function buildImage(build: ImageBuild, access: BuildKitAccess): Promise<string> {
  const reference = pushReference(build.reference);
  const names = [...(build.alsoAs === undefined ? [] : [build.alsoAs]), build.reference];
  return withBuild(
    build,
    access,
    () => ({ push: names }),
    (directory) => {
      const digest = textAt(JSON.parse(readFileSync(metadataFile(directory), 'utf8')), 'containerimage.digest');
      if (digest === '') throw new Error(`BuildKit reported no digest for ${build.reference}`);
      return byDigest(reference, digest);
    },
  );
}

/**
 * Builds an image and pushes nothing; returns the digests that its manifests, one for each platform, have in a registry. What would be attached
 * is left out: it says when the build ran.
 */
export async function planImage(build: ImageBuild, access: BuildKitAccess): Promise<string[]> {
  return withBuild(
    { ...build, attestations: {} },
    access,
    (directory) => ({ folder: join(directory, 'image') }),
    (directory) => {
      const read = (path: string): Manifest =>
        JSON.parse(readFileSync(join(directory, 'image', path), 'utf8')) as Manifest;
      const blob = (digest: string): Manifest => read(join('blobs', ...digest.split(':')));
      return (read('index.json').manifests ?? []).flatMap(({ digest }) =>
        imageManifests({ digest, content: blob(digest) }),
      );
    },
  );
}

async function withBuild<T>(
  build: ImageBuild,
  { address, dockerConfig }: BuildKitAccess,
  exportTo: (directory: string) => Export,
  read: (directory: string) => T,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-build-'));
  const files = { metadata: metadataFile(directory), export: exportTo(directory) };
  const env = {
    ...process.env,
    // buildctl gives its traces 50 ms to leave and fails a finished build when a busy machine needs longer.
    OTEL_TRACES_SAMPLER: 'always_off',
    ...(dockerConfig === undefined ? {} : { DOCKER_CONFIG: dockerConfig }),
  };
  try {
    if (address === undefined) await run('docker', buildxArgs(build, files), { env });
    else await run('buildctl', buildctlArgs(address, build, files), { env });
    return read(directory);
  } catch (error) {
    const problem = explain(address, error);
    throw problem === undefined ? error : new ProblemsError([{ object: `image ${build.reference}`, ...problem }]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function metadataFile(directory: string): string {
  return join(directory, 'metadata.json');
}

function explain(address: string | undefined, error: unknown): Problem | undefined {
  if (isMissingCommand(error)) {
    const message = 'is not on PATH';
    return address === undefined
      ? {
          path: 'docker',
          message,
          remedy: 'Install Docker with buildx, or set BUILDKIT_HOST to the address of a BuildKit daemon.',
        }
      : { path: 'buildctl', message, remedy: 'Put buildctl, a program of BuildKit, on PATH.' };
  }
  if (!(error instanceof CommandError)) return undefined;
  const path = address ?? 'docker buildx';
  if (!/failed to list workers|connection refused|no such file/.test(error.output)) {
    return { path, message: 'the build failed', remedy: `\n${error.message}` };
  }
  const start = address === undefined ? 'Is Docker running?' : 'Is it running? Start it, or name one that runs.';
  return { path, message: 'BuildKit cannot be reached', remedy: `${start}\n${error.message}` };
}
