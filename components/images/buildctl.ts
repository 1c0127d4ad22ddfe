import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { attestationParameters } from './attestations.ts';
import type { Attestations } from './attestations.ts';
import { CommandError, isMissingCommand, run } from '../../packages/lib/command.ts';

export interface BuildRequest {
  /** Address of the BuildKit daemon, `unix://…` or `tcp://…`. */
  readonly address: string;
  /** Folder with the Dockerfile and everything that it copies. */
  readonly context: string;
  /** Name and tag to push to. */
  readonly reference: string;
  readonly buildArgs?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Seconds since 1970 that every file and the image itself are dated with: the same input gives the same digest. */
  readonly sourceDateEpoch: number;
  readonly dockerConfig?: string;
  /** Platforms to build for; that of the daemon unless told. */
  readonly platforms?: readonly string[];
  /** Build anew what the daemon has built before. */
  readonly noCache?: boolean;
  /** Attached to the image; none unless told. */
  readonly attestations?: Attestations;
}

/** Builds and pushes an image with BuildKit's own client, where no Pulumi program is at work. Returns `repo@digest`. */
export async function buildAndPush(request: BuildRequest): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-build-'));
  const metadata = join(directory, 'metadata.json');
  try {
    const env = {
      ...process.env,
      // buildctl gives its traces 50 ms to leave and fails a finished build when a busy machine needs longer.
      OTEL_TRACES_SAMPLER: 'always_off',
      ...(request.dockerConfig === undefined ? {} : { DOCKER_CONFIG: request.dockerConfig }),
    };
    await run('buildctl', buildctlArgs(request, metadata), { env });
    const { 'containerimage.digest': digest } = JSON.parse(readFileSync(metadata, 'utf8')) as Record<string, string>;
    if (digest === undefined) throw new Error(`BuildKit reported no digest for ${request.reference}`);
    return `${request.reference.replace(/:[^:/]+$/, '')}@${digest}`;
  } catch (error) {
    throw explain(request, error);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function buildctlArgs(request: BuildRequest, metadataFile: string): string[] {
  const options = {
    ...prefixed('build-arg:', { ...request.buildArgs, SOURCE_DATE_EPOCH: String(request.sourceDateEpoch) }),
    ...prefixed('label:', request.labels ?? {}),
    ...(request.platforms === undefined ? {} : { platform: request.platforms.join(',') }),
    ...prefixed('attest:', Object.fromEntries(attestationParameters(request.attestations ?? {}))),
  };
  return [
    `--addr=${request.address}`,
    'build',
    '--progress=plain',
    '--frontend=dockerfile.v0',
    ...(request.noCache === true ? ['--no-cache'] : []),
    `--local=context=${request.context}`,
    `--local=dockerfile=${request.context}`,
    ...Object.entries(options).map(([name, value]) => `--opt=${name}=${value}`),
    `--output=type=image,name=${request.reference},push=true,oci-mediatypes=true,rewrite-timestamp=true`,
    `--metadata-file=${metadataFile}`,
  ];
}

function prefixed(prefix: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
}

function explain(request: BuildRequest, error: unknown): unknown {
  const object = `image ${request.reference}`;
  if (isMissingCommand(error)) {
    const remedy = 'Run "make tools PROGRAMS=buildctl", or put BuildKit on PATH.';
    return new ProblemsError([{ object, path: 'buildctl', message: 'is not on PATH', remedy }]);
  }
  if (!(error instanceof CommandError)) return error;
  const unreachable = /failed to list workers|connection refused|no such file/.test(error.output);
  const message = unreachable ? 'BuildKit cannot be reached' : 'the build failed';
  const remedy = unreachable ? `Is it running? "make cluster-up" starts one.\n${error.message}` : `\n${error.message}`;
  return new ProblemsError([{ object, path: request.address, message, remedy }]);
}
