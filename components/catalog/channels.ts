import type { SemVer } from 'semver';
import { channelName } from '../../packages/api/channels.ts';
import type { ChannelEntry, FbcChannel } from './fbc.ts';
import { STREAMS } from './template.ts';
import type { SemverTemplate, Stream } from './template.ts';
import { compareVersions } from './version.ts';

/** A bundle as far as the upgrade graph is concerned. */
export interface Versioned {
  readonly name: string;
  readonly version: SemVer;
}

type Kind = 'major' | 'minor';

/** A channel together with what decides whether it becomes the package's default. */
interface RankedChannel {
  readonly channel: FbcChannel;
  readonly stream: Stream;
  readonly kind: Kind;
  readonly lowest: SemVer;
}

/** The channels of a template and the default one. */
export interface Channels {
  readonly channels: readonly FbcChannel[];
  readonly defaultChannel: string;
}

/**
 * The upgrade graph that `olm.semver` stands for. In each stream, the newest patch of a minor version replaces the newest
 * patch of the minor version before it, and skips everything else that is older; no edge crosses a major version.
 */
export function generateChannels(
  packageName: string,
  template: SemverTemplate,
  bundles: Readonly<Record<Stream, readonly Versioned[]>>,
): Channels {
  const kinds: Kind[] = [
    ...(template.generateMajorChannels ? (['major'] as const) : []),
    ...(template.generateMinorChannels ? (['minor'] as const) : []),
  ];
  const ranked = STREAMS.flatMap((stream) => {
    const ascending = [...bundles[stream]].sort((a, b) => compareVersions(a.version, b.version));
    return kinds.flatMap((kind) => channelsOf(packageName, stream, kind, ascending));
  });
  return {
    channels: ranked.map(({ channel }) => channel).sort((a, b) => (a.name < b.name ? -1 : 1)),
    defaultChannel: defaultChannel(ranked, template.defaultChannelTypePreference),
  };
}

function channelsOf(packageName: string, stream: Stream, kind: Kind, ascending: readonly Versioned[]): RankedChannel[] {
  const edges = linkByMajor(ascending);
  return [
    ...Map.groupBy(ascending, ({ version }) =>
      channelName(stream, version.major, kind === 'minor' ? version.minor : undefined),
    ),
  ].map(([name, members]) => ({
    channel: {
      schema: 'olm.channel',
      name,
      package: packageName,
      entries: members.map((member) => edges.get(member) ?? { name: member.name }),
    },
    stream,
    kind,
    lowest: firstOf(members).version,
  }));
}

/**
 * Entries with their edges. They are the same in major and minor channels: the head of a minor channel replaces the head
 * of the channel before it, which is how a subscriber changes from one to the next.
 */
function linkByMajor(ascending: readonly Versioned[]): Map<Versioned, ChannelEntry> {
  const entries = new Map<Versioned, ChannelEntry>();
  for (const sameMajor of Map.groupBy(ascending, ({ version }) => version.major).values()) {
    const older: string[] = [];
    let replaces: string | undefined;
    for (const sameMinor of Map.groupBy(sameMajor, ({ version }) => version.minor).values()) {
      const head = lastOf(sameMinor);
      older.push(...sameMinor.slice(0, -1).map(({ name }) => name));
      const skips = older.filter((name) => name !== replaces).sort();
      entries.set(head, {
        name: head.name,
        ...(replaces === undefined ? {} : { replaces }),
        ...(skips.length === 0 ? {} : { skips }),
      });
      older.push(head.name);
      replaces = head.name;
    }
  }
  return entries;
}

/** The most stable stream wins, then the channel that starts at the highest version, then the preferred kind. */
function defaultChannel(ranked: readonly RankedChannel[], preference: Kind): string {
  const order = [...ranked].sort(
    (a, b) =>
      STREAMS.indexOf(a.stream) - STREAMS.indexOf(b.stream) ||
      compareVersions(a.lowest, b.lowest) ||
      Number(a.kind === preference) - Number(b.kind === preference),
  );
  const best = order.at(-1);
  return best === undefined ? '' : best.channel.name;
}

function firstOf<T>(list: readonly T[]): T {
  return elementAt(list, 0);
}

function lastOf<T>(list: readonly T[]): T {
  return elementAt(list, -1);
}

function elementAt<T>(list: readonly T[], index: number): T {
  const element = list.at(index);
  if (element === undefined) throw new RangeError('a group has at least one member');
  return element;
}
