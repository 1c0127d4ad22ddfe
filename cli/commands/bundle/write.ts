import { buildBundle } from '../../../components/bundle/bundle.ts';
import { textImageContext, writeContext } from '../../../components/images/build-context.ts';
import { pinImage } from '../../../components/registry/pin-image.ts';
import { OPERATOR_SOURCES, sourceRevision } from '../../../components/images/source-revision.ts';
import type { Io } from '../../io.ts';
import { parseOptions, required } from '../../options.ts';
import { REGISTRY_OPTIONS, REGISTRY_USAGE, withRegistry } from '../../registry-options.ts';

const USAGE = `Usage: fleet bundle write --version VERSION --controller-image IMAGE [options]

  --version VERSION         e.g. v1.0.0
  --crd-version VERSION     API version that examples use (v1alpha1)
  --controller-image IMAGE  the pushed controller; a tag is looked up in the registry and replaced by its digest
  --channels LIST           channels that the bundle's labels recommend
  --default-channel NAME    the default one of them
  -d, --directory DIR       where to (dist/bundle)
${REGISTRY_USAGE}`;

const OPTIONS = {
  version: { type: 'string' },
  'crd-version': { type: 'string', default: 'v1alpha1' },
  'controller-image': { type: 'string' },
  channels: { type: 'string' },
  'default-channel': { type: 'string' },
  directory: { type: 'string', short: 'd', default: 'dist/bundle' },
  ...REGISTRY_OPTIONS,
} as const;

/** Writes manifests, metadata and Dockerfile of a bundle, as `operator-sdk generate bundle` would. */
export async function run(args: string[], io: Io): Promise<number> {
  const values = parseOptions(args, OPTIONS, USAGE);
  const source = sourceRevision('.', OPERATOR_SOURCES, io.env);
  const image = required(values['controller-image'], 'controller-image', USAGE);
  const bundle = buildBundle({
    version: required(values.version, 'version', USAGE),
    crdVersion: values['crd-version'],
    controllerImage: await withRegistry(values, io, (client) => pinImage(client, image)),
    created: source.created,
    ...(source.url === undefined ? {} : { source: source.url }),
    ...(values.channels === undefined ? {} : { channels: values.channels.split(',') }),
    ...(values['default-channel'] === undefined ? {} : { defaultChannel: values['default-channel'] }),
  });
  writeContext(values.directory, textImageContext(bundle));
  io.out(`Version ${bundle.version} is in ${values.directory}.\n`);
  return 0;
}
