import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMissingCommand, run } from '../../packages/lib/command.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { byDigest } from '../registry/reference.ts';
import { attestationParameters } from './attestations.ts';
import { buildAndPush } from './buildctl.ts';
import type { BuildRequest } from './buildctl.ts';
import { pushReference } from './image-spec.ts';

/** What builds images where no Pulumi program is at work: a BuildKit daemon by its address, or else Docker's buildx. */
export interface Builder {
  readonly address?: string;
  readonly dockerConfig?: string;
}

export type ImageBuild = Omit<BuildRequest, 'address' | 'dockerConfig'>;

/** Builds and pushes an image; returns `repository@digest`. */
export async function buildImage(build: ImageBuild, builder: Builder): Promise<string> {
  pushReference(build.reference);
  const config = builder.dockerConfig === undefined ? {} : { dockerConfig: builder.dockerConfig };
  if (builder.address !== undefined) return buildAndPush({ ...build, ...config, address: builder.address });
  return buildByBuildx(build);
}

async function buildByBuildx(build: ImageBuild): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-build-'));
  const metadata = join(directory, 'metadata.json');
  try {
    await run('docker', buildxArgs(build, metadata));
    const { 'containerimage.digest': digest } = JSON.parse(readFileSync(metadata, 'utf8')) as Record<string, string>;
    if (digest === undefined) throw new Error(`docker buildx reported no digest for ${build.reference}`);
    return byDigest(pushReference(build.reference), digest);
  } catch (error) {
    if (!isMissingCommand(error)) throw error;
    const remedy = 'Install Docker with buildx, or set BUILDKIT_HOST to the address of a BuildKit daemon.';
    throw new ProblemsError([
      { object: `image ${build.reference}`, path: 'docker', message: 'is not on PATH', remedy },
    ]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function buildxArgs(build: ImageBuild, metadataFile: string): string[] {
  const args = { ...build.buildArgs, SOURCE_DATE_EPOCH: String(build.sourceDateEpoch) };
  const attestations = attestationParameters(build.attestations ?? {});
  const sbom = attestations.get('sbom');
  return [
    'buildx',
    'build',
    ...Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`),
    ...Object.entries(build.labels ?? {}).map(([name, value]) => `--label=${name}=${value}`),
    ...(build.platforms === undefined ? [] : [`--platform=${build.platforms.join(',')}`]),
    ...(build.noCache === true ? ['--no-cache'] : []),
    // buildx attests by default, with the time of the build in it, which makes every build another image.
    `--provenance=${attestations.get('provenance') ?? 'false'}`,
    ...(sbom === undefined ? [] : [`--sbom=${sbom === '' ? 'true' : sbom}`]),
    `--tag=${build.reference}`,
    '--output=type=image,push=true,oci-mediatypes=true,rewrite-timestamp=true',
    `--metadata-file=${metadataFile}`,
    build.context,
  ];
}
