import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, buildBundle } from '../../../components/bundle/bundle.ts';
import { COMMUNITY_FOLDER, COMMUNITY_SETTINGS, communityFiles } from '../../../components/bundle/community-layout.ts';
import { pullBundleFiles } from '../../../components/catalog/pull-bundles.ts';
import { textImageContext, writeContext } from '../../../components/images/build-context.ts';
import { OPERATOR_SOURCES, sourceRevision } from '../../../components/images/source-revision.ts';
import { pinImage } from '../../../components/registry/pin-image.ts';
import { ProblemsError, refuse } from '../../../packages/lib/problem.ts';
import { unwritten } from '../../../packages/lib/text-file.ts';
import type { Io } from '../../io.ts';
import { type RegistryOptions, withRegistry } from '../../registry-options.ts';
import { LOCK } from '../catalog/committed.ts';
import { readState } from '../catalog/files.ts';
import { refuseStrangers, refuseUnpushed } from './refusals.ts';

/** The options of `fleet bundle write`. */
export interface BundleWriteOptions extends RegistryOptions {
  readonly version: string;
  readonly crdVersion: string;
  readonly controllerImage?: string | undefined;
  readonly channels?: string | undefined;
  readonly defaultChannel?: string | undefined;
  readonly community?: boolean | undefined;
  readonly directory?: string | undefined;
}

type BundleContent = Pick<Bundle, 'version' | 'files' | 'labels'>;

/** Writes a bundle: manifests, metadata and Dockerfile, or the layout of community operators. */
export async function run(options: BundleWriteOptions, io: Io): Promise<number> {
  const { controllerImage, community = false } = options;
  const directory = options.directory ?? (community ? 'dist/community' : 'dist/bundle');
  if (!community) await refuseStrangers(directory);
  const bundle =
    controllerImage === undefined
      ? await releasedBundle(options, io)
      : await checkoutBundle({ ...options, controllerImage }, io);
  try {
    const written = community ? writeCommunity(directory, bundle) : writeContext(directory, textImageContext(bundle));
    io.out(`Version ${bundle.version} is in ${written}.\n`);
  } catch (error) {
    throw unwritten(error, directory);
  }
  return 0;
}

async function checkoutBundle(
  options: BundleWriteOptions & { readonly controllerImage: string },
  io: Io,
): Promise<BundleContent> {
  const { version, crdVersion, controllerImage, channels, defaultChannel } = options;
  const source = sourceRevision('.', OPERATOR_SOURCES, io.env);
  return buildBundle({
    version,
    crdVersion,
    controllerImage: await withRegistry(options, io, (client) => pinImage(client, controllerImage)).catch(
      refuseUnpushed,
    ),
    created: source.created,
    ...(source.url === undefined ? {} : { source: source.url }),
    ...(channels === undefined ? {} : { channels: channels.split(',') }),
    ...(defaultChannel === undefined ? {} : { defaultChannel }),
  });
}

/** What others publish is the bundle that was released, by its digest, and not what this checkout would make of it today. */
async function releasedBundle(options: BundleWriteOptions, io: Io): Promise<BundleContent> {
  const version = options.version.replace(/^v/, '');
  const { channels, defaultChannel } = options;
  const chosen = Object.entries({ '--channels': channels, '--default-channel': defaultChannel });
  const remedy = 'Leave it out, or name a controller with --controller-image.';
  const message = 'changes nothing about a released bundle';
  refuse(chosen.filter(([, value]) => value !== undefined).map(([path, value]) => ({ path, value, message, remedy })));
  const released = (await readState(io)).lock.versions.find((entry) => entry.version === version);
  if (released === undefined) {
    throw new ProblemsError([
      {
        object: LOCK,
        path: `versions.${version}`,
        message: 'is not released',
        remedy: 'Release it first, or name the pushed controller of this checkout with --controller-image.',
      },
    ]);
  }
  const { files, labels } = await withRegistry(options, io, (client) => pullBundleFiles(client, released.bundle.image));
  return { version, files, labels };
}

/** The package's own settings belong to the repository that it is in: they are written once, and left alone if they are there. */
function writeCommunity(directory: string, { version, files }: BundleContent): string {
  const folder = join(directory, COMMUNITY_FOLDER);
  const written = writeContext(join(folder, version), communityFiles(files));
  const settings = join(folder, 'ci.yaml');
  if (!existsSync(settings)) writeFileSync(settings, COMMUNITY_SETTINGS);
  return written;
}
