import { publishBundle, publishController } from '../../../components/images/publish.ts';
import { parseReleaseVersion } from '../../../components/catalog/version.ts';
import { releasedProblems } from '../../../components/catalog/append-only.ts';
import { refuse } from '../../../packages/lib/problem.ts';
import { UsageError } from '../../command.ts';
import type { Io } from '../../io.ts';
import { parseOptions, required } from '../../options.ts';
import { LOCK, readState } from '../catalog/files.ts';
import { baseImage, publishSettings } from '../../publish-target.ts';

const USAGE = `Usage: fleet bundle push --version VERSION [--crd-version VERSION] [--dev]

  --version VERSION      e.g. v1.0.0
  --crd-version VERSION  API version that examples use (v1alpha1)
  --dev                  push to the embedded cluster's registry unless IMAGE_TAG_BASE is set

IMAGE_TAG_BASE, IMAGE_PLATFORMS, BASE_IMAGE, BUILDKIT_HOST, PROVENANCE=1, SBOM=1 and SBOM_SCANNER are read from the
environment.`;

const OPTIONS = {
  version: { type: 'string' },
  'crd-version': { type: 'string', default: 'v1alpha1' },
  dev: { type: 'boolean', default: false },
} as const;

/** Publishes an operator version: first the controller, then the bundle that names it by digest. */
export async function run(args: string[], io: Io): Promise<number> {
  const values = parseOptions(args, OPTIONS, USAGE);
  const version = parseReleaseVersion(required(values.version, 'version', USAGE));
  if (version === undefined)
    throw new UsageError(`--version is ${values.version ?? ''}, not a version such as v1.2.3`, USAGE);
  if (!values.dev) refuse(releasedProblems((await readState(io)).lock, version.version, LOCK));
  const settings = publishSettings(io.env, values.dev);
  const base = await baseImage(io.env, values.dev);
  const controllerImage = await publishController(settings, {
    context: 'controller',
    baseImage: base,
    tag: version.version,
  });
  io.out(`controller  ${controllerImage}\n`);
  const request = { version: version.version, crdVersion: values['crd-version'], controllerImage };
  const { image } = await publishBundle(settings, request);
  io.out(`bundle      ${image}\n`);
  return 0;
}
