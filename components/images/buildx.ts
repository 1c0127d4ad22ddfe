import { attestationParameters } from './attestations.ts';
import type { BuildFiles } from './build-files.ts';
import type { ImageBuild } from './build-image.ts';

/** Arguments of the builder that comes with Docker. */
export function buildxArgs(build: ImageBuild, files: BuildFiles): string[] {
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
    // By default buildx adds an attestation with the time of the build, which makes every build a different image.
    `--provenance=${attestations.get('provenance') ?? 'false'}`,
    ...(sbom === undefined ? [] : [`--sbom=${sbom === '' ? 'true' : sbom}`]),
    ...('push' in files.export ? files.export.push : []).map((name) => `--tag=${name}`),
    `--output=${'push' in files.export ? 'type=image,push=true' : `type=oci,tar=false,dest=${files.export.folder}`},oci-mediatypes=true,rewrite-timestamp=true`,
    `--metadata-file=${files.metadata}`,
    build.context,
  ];
}
