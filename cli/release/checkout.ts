import type { SemVer } from 'semver';
import type { CatalogLock, LockedVersion } from '../../components/catalog/lock.ts';
import type { Stream } from '../../components/catalog/template.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { LOCK } from '../commands/catalog/committed.ts';
import type { Git } from './git.ts';
import { nextVersionProblems } from './next-version.ts';
import { takenVersions } from './taken.ts';

/** What the catalog of the checkout says about a version. */
export interface Catalogued {
  readonly lock: CatalogLock;
  /** All other released versions. */
  readonly versions: readonly SemVer[];
  /** The release that it is compared with. */
  readonly previous?: SemVer;
  /** The version itself, if an earlier run of its release has recorded it. */
  readonly locked?: LockedVersion;
}

/** Why nothing can be released from a checkout as a version. */
export async function checkoutProblems(
  { version, channel }: { readonly version: SemVer; readonly channel: Stream },
  { versions, locked }: Pick<Catalogued, 'versions' | 'locked'>,
  git: Pick<Git, 'changes' | 'tagged'>,
  isPushed: (version: string) => Promise<boolean>,
): Promise<Problem[]> {
  return [
    ...dirtyProblems(await git.changes()),
    ...(locked === undefined
      ? [
          ...tagProblems(`v${version.version}`, await git.tagged(`v${version.version}`)),
          ...nextVersionProblems(version.version, await takenVersions(version, versions, isPushed)),
        ]
      : channelProblems(locked, channel)),
  ];
}

/** The most files that a message names. */
const SHOWN = 5;

/** Why a release is not made from these files. */
export function dirtyProblems(files: readonly string[]): Problem[] {
  if (files.length === 0) return [];
  const more = files.length > SHOWN ? ` and ${String(files.length - SHOWN)} more` : '';
  const remedy = 'Commit them, or put them away with git stash --include-untracked: a release is made from a commit.';
  return [
    {
      object: 'the checkout',
      path: `${files.slice(0, SHOWN).join(', ')}${more}`,
      message: 'differs from the commit',
      remedy,
    },
  ];
}

/** Why a tag of git keeps a version from being released that is recorded nowhere. */
export function tagProblems(tag: string, tagged: string | undefined): Problem[] {
  if (tagged === undefined) return [];
  const remedy = `Release the next version, or remove a tag that is a mistake: git tag -d ${tag}.`;
  const message = 'exists in git, though no such release is recorded';
  return [{ object: `tag ${tag}`, path: 'commit', value: tagged, message, remedy }];
}

function channelProblems({ version, streams }: LockedVersion, channel: Stream): Problem[] {
  if (streams.includes(channel)) return [];
  const remedy = `Move it on with make catalog-promote VERSION=v${version}.`;
  const message = `is not where ${version} was released to (${streams.join(', ')})`;
  return [{ object: LOCK, path: 'CHANNEL', value: channel, message, remedy }];
}
