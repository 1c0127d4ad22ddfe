import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, isMissingCommand, run } from '../../packages/lib/command.ts';
import { textAt } from '../../packages/lib/json.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { byDigest } from '../registry/reference.ts';
import type { Attestations } from './attestations.ts';
import { buildctlArgs } from './buildctl.ts';
import { buildxArgs } from './buildx.ts';
import { pushReference } from './image-spec.ts';

/** An image that is built from a folder and pushed. */
export interface ImageBuild {
  /** Folder with the Dockerfile and everything that it copies. */
  readonly context: string;
  /** Name and tag to push to. */
  readonly reference: string;
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
export async function buildImage(build: ImageBuild, { address, dockerConfig }: BuildKitAccess): Promise<string> {
  const reference = pushReference(build.reference);
  const directory = mkdtempSync(join(tmpdir(), 'fleet-build-'));
  const metadata = join(directory, 'metadata.json');
  const env = {
    ...process.env,
    // buildctl gives its traces 50 ms to leave and fails a finished build when a busy machine needs longer.
    OTEL_TRACES_SAMPLER: 'always_off',
    ...(dockerConfig === undefined ? {} : { DOCKER_CONFIG: dockerConfig }),
  };
  try {
    if (address === undefined) await run('docker', buildxArgs(build, metadata), { env });
    else await run('buildctl', buildctlArgs(address, build, metadata), { env });
    const digest = textAt(JSON.parse(readFileSync(metadata, 'utf8')), 'containerimage.digest');
    if (digest === '') throw new Error(`BuildKit reported no digest for ${build.reference}`);
    return byDigest(reference, digest);
  } catch (error) {
    const problem = explain(address, error);
    throw problem === undefined ? error : new ProblemsError([{ object: `image ${build.reference}`, ...problem }]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
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
