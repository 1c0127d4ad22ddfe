import { buildBundle } from '../../../components/bundle/bundle.ts';
import { textImageContext, writeContext } from '../../../components/images/build-context.ts';
import { pinImage } from '../../../components/registry/pin-image.ts';
import { OPERATOR_SOURCES, sourceRevision } from '../../../components/images/source-revision.ts';
import type { Io } from '../../io.ts';
import { type RegistryOptions, withRegistry } from '../../registry-options.ts';

/** The options of `fleet bundle write`. */
export interface BundleWriteOptions extends RegistryOptions {
  readonly version: string;
  readonly crdVersion: string;
  readonly controllerImage: string;
  readonly channels?: string | undefined;
  readonly defaultChannel?: string | undefined;
  readonly directory: string;
}

/** Writes manifests, metadata and Dockerfile of a bundle, as `operator-sdk generate bundle` would. */
export async function run(options: BundleWriteOptions, io: Io): Promise<number> {
  const { version, crdVersion, controllerImage, channels, defaultChannel, directory } = options;
  const source = sourceRevision('.', OPERATOR_SOURCES, io.env);
  const bundle = buildBundle({
    version,
    crdVersion,
    controllerImage: await withRegistry(options, io, (client) => pinImage(client, controllerImage)),
    created: source.created,
    ...(source.url === undefined ? {} : { source: source.url }),
    ...(channels === undefined ? {} : { channels: channels.split(',') }),
    ...(defaultChannel === undefined ? {} : { defaultChannel }),
  });
  writeContext(directory, textImageContext(bundle));
  io.out(`Version ${bundle.version} is in ${directory}.\n`);
  return 0;
}
