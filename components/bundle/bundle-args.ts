import { channelName, STREAMS } from '../../packages/api/channels.ts';
import { VERSIONS } from '../../packages/api/constants.ts';
import { refuse } from '../../packages/lib/problem.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { parseReleaseVersion } from '../catalog/version.ts';
import { parseReference } from '../registry/reference.ts';

/** What a bundle is made from, as people give it. */
export interface BundleArgs {
  /** `v1.2.3` or `1.2.3`. */
  readonly version: string;
  /** The API version that examples use: `v1alpha1` or `v1beta1`. */
  readonly crdVersion: string;
  /** The controller image by digest: what was tested is what runs. */
  readonly controllerImage: string;
  /** When the source was committed. The time of the build would make every build a different bundle. */
  readonly created: Date;
  /** Channels that the bundle's own labels recommend; OLM v1 follows the catalog instead. */
  readonly channels?: readonly string[];
  readonly defaultChannel?: string;
  /** Where the source is, e.g. a repository's URL. */
  readonly source?: string;
}

/** The same, checked and complete. */
export interface BundleInput extends BundleArgs {
  readonly major: number;
  readonly channels: readonly string[];
  readonly defaultChannel: string;
}

/** Checks a bundle's arguments and fills in the defaults; throws with everything that is wrong. */
export function readBundleArgs(args: BundleArgs): BundleInput {
  const problems: Problem[] = [];
  const version = parseReleaseVersion(args.version);
  const object = `bundle ${args.version}`;
  if (version === undefined) {
    const remedy = 'Use a semantic version such as v1.2.3.';
    problems.push({ object, path: 'VERSION', value: args.version, message: 'is not a version', remedy });
  } else if (version.build.length > 0) {
    const remedy = 'Release a new patch version instead.';
    const message = 'has build metadata, which catalogs cannot order versions by';
    problems.push({ object, path: 'VERSION', value: args.version, message, remedy });
  }
  if (!(VERSIONS as readonly string[]).includes(args.crdVersion)) {
    const remedy = `Use one of: ${VERSIONS.join(', ')}.`;
    problems.push({ object, path: 'CRD_VERSION', value: args.crdVersion, message: 'is not served', remedy });
  }
  if (parseReference(args.controllerImage)?.digest === undefined) {
    const remedy =
      'Push the controller image and use what the push reports, e.g. registry.example.com/fleet/operator@sha256:….';
    const message = 'does not name an image by digest';
    problems.push({ object, path: 'CONTROLLER_IMAGE', value: args.controllerImage, message, remedy });
  }
  const major = version?.major ?? 0;
  if (version !== undefined) problems.push(...channelProblems(args, major, object));
  refuse(problems);
  const channels = args.channels ?? STREAMS.map((stream) => channelName(stream, major));
  return {
    ...args,
    version: version?.version ?? args.version,
    major,
    channels,
    defaultChannel: args.defaultChannel ?? channels.at(-1) ?? '',
  };
}

/** Channels that a catalog of this operator never has, for this version. */
function channelProblems({ channels, defaultChannel }: BundleArgs, major: number, object: string): Problem[] {
  const usual = STREAMS.map((stream) => channelName(stream, major));
  const remedy = `Use ${usual.join(', ')}, or one of a minor, such as ${channelName('stable', major, 1)}.`;
  const problems: Problem[] = (channels ?? [])
    .filter((channel) => !isOfMajor(channel, major))
    .map((value) => ({ object, path: 'CHANNELS', value, message: `is not a channel of major ${major}`, remedy }));
  if (defaultChannel !== undefined && !(channels ?? usual).includes(defaultChannel)) {
    const among = `Use one of ${(channels ?? usual).join(', ')}.`;
    const message = 'is not one of the channels';
    problems.push({ object, path: 'DEFAULT_CHANNEL', value: defaultChannel, message, remedy: among });
  }
  return problems;
}

function isOfMajor(channel: string, major: number): boolean {
  return STREAMS.some((stream) => {
    const name = channelName(stream, major);
    return (
      channel === stream ||
      channel === name ||
      (channel.startsWith(`${name}.`) && /^\d+$/.test(channel.slice(name.length + 1)))
    );
  });
}
