import type { SemVer } from 'semver';
import { parseReleaseVersion } from '../../components/catalog/version.ts';
import { nextVersions } from './next-version.ts';

/** The most numbers in a row that are skipped. */
const MOST = 20;

/**
 * Released versions, and numbers that a registry has though nothing was released under them, because a release was given up after its images
 * were pushed. Such a number is skipped, so that no tag ever gets other content.
 */
export async function takenVersions(
  version: SemVer,
  released: readonly SemVer[],
  isPushed: (version: string) => Promise<boolean>,
): Promise<SemVer[]> {
  const taken = [...released];
  for (let round = 0; round < MOST; round += 1) {
    const next = nextVersions(taken).flatMap((text) => parseReleaseVersion(text) ?? []);
    if (next.some((one) => one.compareMain(version) === 0)) return taken;
    const pushed = await Promise.all(next.map((one) => isPushed(one.version)));
    const skipped = next.filter((_, index) => pushed[index] === true);
    if (skipped.length === 0) return taken;
    taken.push(...skipped);
  }
  return taken;
}
