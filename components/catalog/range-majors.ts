import type { SemVer } from 'semver';
import { inRange } from './version-range.ts';
import type { VersionRange } from './version-range.ts';
import { parseVersion } from './version.ts';

/** The major versions that a range can admit, whatever a catalog contains today. */
export interface RangeMajors {
  /** Ascending. Where the range admits a long run of majors, at least the first and the last of the run. */
  readonly majors: readonly number[];
  /** Whether every higher major is admitted as well, as with `>=2`. */
  readonly open: boolean;
}

/** The one major that a range stays inside; `undefined` when it admits none or several. */
export function onlyMajorOf(range: VersionRange): number | undefined {
  const { majors, open } = majorsOf(range);
  return majors.length === 1 && !open ? majors[0] : undefined;
}

/** Whether any version of this major is in the range. */
export function admitsMajor(range: VersionRange, major: number): boolean {
  return probe(range, [major]).length > 0;
}

export function majorsOf(range: VersionRange): RangeMajors {
  const named = boundsOf(range).map((bound) => bound.major);
  const candidates = around(named);
  const majors = probe(range, candidates);
  const highest = candidates.at(-1);
  return { majors, open: highest !== undefined && majors.includes(highest) };
}

/**
 * Finds by trial which of the majors are admitted. A comparator only tests whether major, minor, patch and pre-release
 * are below, at or above its own. So one version for each such position, over all comparators, represents all versions.
 */
function probe(range: VersionRange, majors: readonly number[]): number[] {
  const bounds = boundsOf(range);
  const minors = around(bounds.map((bound) => bound.minor));
  const patches = around(bounds.map((bound) => bound.patch));
  const prereleases = prereleasesAround(bounds.map((bound) => bound.prerelease.join('.')));
  const suffixes = minors.flatMap((minor) =>
    patches.flatMap((patch) => prereleases.map((prerelease) => `${minor}.${patch}${prerelease}`)),
  );
  return majors.filter((major) =>
    suffixes.some((suffix) => {
      const version = parseVersion(`${major}.${suffix}`);
      return version !== undefined && inRange(version, range);
    }),
  );
}

function boundsOf(range: VersionRange): SemVer[] {
  return range.groups.flatMap((group) => group.comparators.map((comparator) => comparator.bound));
}

/** Each number with its neighbours, and zero. */
function around(numbers: readonly number[]): number[] {
  const points = new Set([0, ...numbers.flatMap((number) => [number - 1, number, number + 1])]);
  return [...points].filter((number) => number >= 0).sort((a, b) => a - b);
}

/** No pre-release, the lowest possible one, each named one, and the one right above each. */
function prereleasesAround(named: readonly string[]): string[] {
  const points = named
    .filter((prerelease) => prerelease !== '')
    .flatMap((prerelease) => [prerelease, `${prerelease}.0`]);
  return ['', ...new Set(points.length > 0 ? ['0', ...points] : [])].map((point) => (point === '' ? '' : `-${point}`));
}
