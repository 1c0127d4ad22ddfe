import type { SemVer } from 'semver';
import { compareVersions, parseReleaseVersion } from '../../components/catalog/version.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import type { Bump } from './finding.ts';

/** Of this package 1.x and 2.x exist elsewhere, and stacks with these labels may be served by them. */
export const FIRST_RELEASE = '3.0.0';

/**
 * The versions that may come next: the next patch of every minor version, the next minor of every major, and the next major. `taken` has what
 * was released, and numbers that a registry has without a release: somebody may have pulled them, so they are not given again.
 */
export function nextVersions(taken: readonly SemVer[]): string[] {
  if (taken.length === 0) return [FIRST_RELEASE];
  // A pre-release takes nothing from the version that it precedes.
  const final = taken.filter(({ prerelease }) => prerelease.length === 0);
  if (final.length === 0) return [...new Set(taken.map(core))];
  const of = (bump: (version: SemVer) => string): string[] => {
    const newest = Map.groupBy(final, bump);
    return [...newest.values()].map((versions) => core(versions.toSorted(compareVersions).at(-1) as SemVer));
  };
  const patches = of(({ major, minor }) => `${String(major)}.${String(minor)}`).map((one) => grown(one, 'patch'));
  const minors = of(({ major }) => String(major)).map((one) => grown(one, 'minor'));
  const majors = of(() => '').map((one) => grown(one, 'major'));
  return [...patches, ...minors, ...majors];
}

/** Why a version is not the next one, as semantic versioning has it. */
export function nextVersionProblems(version: string, taken: readonly SemVer[]): Problem[] {
  const where = { path: 'VERSION', value: version };
  const parsed = parseReleaseVersion(version);
  if (parsed === undefined) return [{ ...where, message: 'is not a semantic version', remedy: 'Write X.Y.Z.' }];
  if (parsed.build.length > 0) {
    const message = 'has build metadata, which catalogs cannot order versions by';
    return [{ ...where, message, remedy: `Write ${parsed.version}.` }];
  }
  const allowed = nextVersions(taken);
  if (!allowed.includes(core(parsed))) {
    const because = taken.length === 0 ? `: 1.x and 2.x of this package exist elsewhere` : '';
    return [{ ...where, message: `is not the next version${because}`, remedy: `Release ${inWords(allowed)}.` }];
  }
  const newer = taken.find((other) => core(other) === core(parsed) && compareVersions(other, parsed) >= 0);
  if (newer === undefined) return [];
  const message = `does not come after the pre-release ${newer.version}`;
  return [{ ...where, message, remedy: `Release ${core(parsed)}, or a later pre-release of it.` }];
}

/** The release that a version is compared with: the newest one before it that is no pre-release. */
export function previousRelease(version: SemVer, released: readonly SemVer[]): SemVer | undefined {
  return released
    .filter((other) => other.prerelease.length === 0 && compareVersions(other, version) < 0)
    .toSorted(compareVersions)
    .at(-1);
}

export function bumpBetween(previous: SemVer, next: SemVer): Bump {
  if (previous.major !== next.major) return 'major';
  return previous.minor === next.minor ? 'patch' : 'minor';
}

/** `X.Y.Z`, without what makes it a pre-release. */
function core({ major, minor, patch }: SemVer): string {
  return [major, minor, patch].join('.');
}

function grown(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'major') return `${String(major + 1)}.0.0`;
  return bump === 'minor' ? `${String(major)}.${String(minor + 1)}.0` : [major, minor, patch + 1].join('.');
}

function inWords(versions: readonly string[]): string {
  return versions.length < 2 ? versions.join('') : `${versions.slice(0, -1).join(', ')} or ${versions.at(-1) ?? ''}`;
}
