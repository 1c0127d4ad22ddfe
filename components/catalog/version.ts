import semver from 'semver';
import type { SemVer } from 'semver';

/** Reads `1.2.3-rc.1+build`; undefined for everything that OLM would not read either, such as `v1.2.3` and `1.2`. */
export function parseVersion(text: string): SemVer | undefined {
  // The library trims blanks and takes a leading `v`; OLM does neither.
  return /^\d\S*$/.test(text) ? (semver.parse(text) ?? undefined) : undefined;
}

/** Negative, zero or positive; build metadata does not count. */
export function compareVersions(a: SemVer, b: SemVer): number {
  return a.compare(b);
}

/** The version without its build metadata: two versions with the same one cannot be ordered. */
export function precedence(version: SemVer): string {
  return version.version;
}

/** Reads a version as people type it, with or without `v`. */
export function parseReleaseVersion(text: string): SemVer | undefined {
  return parseVersion(text.startsWith('v') ? text.slice(1) : text);
}
