import semver from 'semver';
import type { SemVer } from 'semver';
import { compareVersions } from './version.ts';

/**
 * Version ranges as OLM reads them in `spec.source.catalog.version` of a ClusterExtension. OLM uses the Go module
 * Masterminds/semver, whose language differs from node-semver's: commas are an AND, `1.2 - 1.4` reaches to the last patch
 * of 1.4, `!=` exists, `^*` matches only 0.0.0, and one pre-release in a group admits pre-releases to the whole group.
 */
export interface VersionRange {
  readonly text: string;
  /** A version is in the range when it satisfies every comparator of at least one group. */
  readonly groups: readonly ComparatorGroup[];
}

export interface ComparatorGroup {
  readonly comparators: readonly Comparator[];
  readonly admitsPrereleases: boolean;
}

export interface Comparator {
  readonly operator: Operator;
  /** The version that was written, with zeros for what was left out or wild. */
  readonly bound: SemVer;
  /** How many of major, minor and patch were written: 0 for `*`, 1 for `2.x`, 2 for `2.1`, 3 for `2.1.0`. */
  readonly precision: 0 | 1 | 2 | 3;
}

export type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': '=',
  '=': '=',
  '!=': '!=',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '=>': '>=',
  '<=': '<=',
  '=<': '<=',
  '~': '~',
  '~>': '~',
  '^': '^',
};

// Go's \s is narrower than JavaScript's.
const SPACE = '[\\t\\n\\f\\r ]';
const OPERATOR = '(?:=||!=|>|<|>=|=>|<=|=<|~|~>|\\^)';
const SEGMENT = '[0-9|xX*]+';
const SUFFIX = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = `v?${SEGMENT}(?:\\.${SEGMENT})?(?:\\.${SEGMENT})?(?:-${SUFFIX})?(?:\\+${SUFFIX})?`;
const ONE = `${OPERATOR}${SPACE}*${VERSION}`;

const HYPHEN_RANGE = new RegExp(`${SPACE}*(${VERSION})${SPACE}+-${SPACE}+(${VERSION})${SPACE}*`, 'g');
const GROUP = new RegExp(`^${SPACE}*${ONE}${SPACE}*(?:(?:${SPACE}+|,${SPACE}*)${ONE}${SPACE}*)*$`);
const EACH = new RegExp(ONE, 'g');
const PARTS = new RegExp(
  `^(${OPERATOR})${SPACE}*v?(${SEGMENT})(?:\\.(${SEGMENT}))?(?:\\.(${SEGMENT}))?(-${SUFFIX})?(?:\\+${SUFFIX})?$`,
);

/** Reads a range; `undefined` when OLM would call it invalid. The empty string is not a range: leave the field out instead. */
export function parseVersionRange(text: string): VersionRange | undefined {
  const groups: ComparatorGroup[] = [];
  for (const group of text.replace(HYPHEN_RANGE, '>= $1, <= $2 ').split('||')) {
    if (!GROUP.test(group)) return undefined;
    const comparators = (group.match(EACH) ?? []).map(parseComparator);
    if (!comparators.every((comparator) => comparator !== undefined)) return undefined;
    groups.push({
      comparators,
      admitsPrereleases: comparators.some((comparator) => comparator.bound.prerelease.length > 0),
    });
  }
  return { text, groups };
}

/** Whether OLM would take this version for this range. */
export function inRange(version: SemVer, range: VersionRange): boolean {
  const isPrerelease = version.prerelease.length > 0;
  return range.groups.some(
    (group) =>
      (group.admitsPrereleases || !isPrerelease) &&
      group.comparators.every((comparator) => satisfies(version, comparator)),
  );
}

function parseComparator(text: string): Comparator | undefined {
  const [, sign = '', major = '', minor = '*', patch = '*', prerelease = ''] = PARTS.exec(text) ?? [];
  const operator = OPERATORS[sign];
  // Everything after the first wildcard is ignored, even a number.
  const segments = [major, minor, patch];
  const wild = segments.findIndex((segment) => /^[xX*]$/.test(segment));
  const precision = wild === -1 ? 3 : wild;
  const written = segments.slice(0, precision);
  if (operator === undefined || !isPrecision(precision) || !written.every((segment) => /^\d+$/.test(segment))) {
    return undefined;
  }
  const numbers = [...written, '0', '0', '0'].slice(0, 3).map((segment) => BigInt(segment).toString());
  const bound = semver.parse(`${numbers.join('.')}${prerelease}`);
  return bound === null ? undefined : { operator, bound, precision };
}

function isPrecision(value: number): value is Comparator['precision'] {
  return value >= 0 && value <= 3;
}

function satisfies(version: SemVer, comparator: Comparator): boolean {
  const { operator, bound, precision } = comparator;
  const order = compareVersions(version, bound);
  const sameMajor = version.major === bound.major;
  const sameMinor = sameMajor && version.minor === bound.minor;
  switch (operator) {
    case '=':
      return precision === 3 ? order === 0 : inTilde(version, comparator);
    case '!=':
      if (precision === 1) return !sameMajor;
      // Within the minor only the pre-release decides, whatever the patch.
      if (precision === 2) return !sameMinor || version.prerelease.join('.') !== bound.prerelease.join('.');
      return order !== 0;
    case '>':
      if (precision === 1) return version.major > bound.major;
      if (precision === 2) return version.major > bound.major || (sameMajor && version.minor > bound.minor);
      return order > 0;
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    case '<=':
      if (precision === 3) return order <= 0;
      return version.major < bound.major || (sameMajor && (precision === 1 || version.minor <= bound.minor));
    case '~':
      return inTilde(version, comparator);
    case '^':
      return inCaret(version, comparator);
  }
}

function inTilde(version: SemVer, { bound, precision }: Comparator): boolean {
  if (compareVersions(version, bound) < 0) return false;
  const isZero = bound.major === 0 && bound.minor === 0 && bound.patch === 0;
  // `~0.0.0` is `*` to Masterminds.
  if (isZero && (precision === 0 || precision === 3)) return true;
  return version.major === bound.major && (precision === 1 || version.minor === bound.minor);
}

function inCaret(version: SemVer, { bound, precision }: Comparator): boolean {
  if (compareVersions(version, bound) < 0 || version.major !== bound.major) return false;
  if (bound.major > 0 || precision === 1) return true;
  if (version.minor !== bound.minor) return false;
  return bound.minor > 0 || precision === 2 || version.patch === bound.patch;
}
