import type { SemVer } from 'semver';
import { inSkipRange, parseSkipRange } from './skip-range.ts';

/** A bundle that is installed, as `status.install.bundle` of a ClusterExtension names it. */
export interface InstalledBundle {
  readonly name: string;
  readonly version: SemVer;
}

/** How OLM gets from what is installed to what it resolved. */
export type Edge = 'install' | 'current' | 'replaces' | 'skips' | 'skipRange' | 'self-certified';

/** What the upgrade graph needs of a channel. */
export interface ChannelEdges {
  readonly name: string;
  readonly entries: readonly {
    readonly name: string;
    readonly replaces?: string;
    readonly skips?: readonly string[];
    readonly skipRange?: string;
  }[];
}

/** The edge that leads from the installed bundle to the candidate in any of the channels; `undefined` when none does. */
export function edgeTo(
  candidate: { readonly name: string; readonly version: SemVer | undefined },
  installed: InstalledBundle,
  channels: readonly ChannelEdges[],
): Edge | undefined {
  if (candidate.version?.compare(installed.version) === 0) return 'current';
  const entries = channels.flatMap((channel) => channel.entries).filter((entry) => entry.name === candidate.name);
  if (entries.some((entry) => entry.replaces === installed.name)) return 'replaces';
  if (entries.some((entry) => entry.skips?.includes(installed.name))) return 'skips';
  return entries.some((entry) => skips(entry.skipRange, installed.version)) ? 'skipRange' : undefined;
}

function skips(text: string | undefined, version: SemVer): boolean {
  const range = text === undefined ? undefined : parseSkipRange(text);
  return range !== undefined && inSkipRange(version, range);
}
