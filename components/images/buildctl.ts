import { attestationParameters } from './attestations.ts';
import type { BuildFiles, Export } from './build-files.ts';
import type { ImageBuild } from './build-image.ts';

/** Arguments of buildctl, BuildKit's own client, which needs no Docker. */
export function buildctlArgs(address: string, build: ImageBuild, files: BuildFiles): string[] {
  const options = {
    ...prefixed('build-arg:', { ...build.buildArgs, SOURCE_DATE_EPOCH: String(build.sourceDateEpoch) }),
    ...prefixed('label:', build.labels ?? {}),
    ...(build.platforms === undefined ? {} : { platform: build.platforms.join(',') }),
    ...prefixed('attest:', Object.fromEntries(attestationParameters(build.attestations ?? {}))),
  };
  return [
    `--addr=${address}`,
    'build',
    '--progress=plain',
    '--frontend=dockerfile.v0',
    ...(build.noCache === true ? ['--no-cache'] : []),
    `--local=context=${build.context}`,
    `--local=dockerfile=${build.context}`,
    ...Object.entries(options).map(([name, value]) => `--opt=${name}=${value}`),
    `--output=${output(files.export)},oci-mediatypes=true,rewrite-timestamp=true`,
    `--metadata-file=${files.metadata}`,
  ];
}

function output(target: Export): string {
  if ('folder' in target) return `type=oci,tar=false,dest=${target.folder}`;
  const names = `name=${target.push.join(',')}`;
  return `type=image,${target.push.length > 1 ? `"${names}"` : names},push=true`;
}

function prefixed(prefix: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
}
