import type { SemVer } from 'semver';
import { compareVersions, parseVersion } from './version.ts';

/**
 * `skipRange` of a channel entry. OLM reads these, and only these, with the Go module blang/semver, as it did before v1:
 * comparators joined by spaces, `||` between groups, `x` as the only wildcard, no carets, tildes or commas.
 */
export type SkipRange = readonly (readonly Bound[])[];

interface Bound {
  readonly operator: '=' | '!=' | '>' | '<' | '>=' | '<=';
  readonly version: SemVer;
}

const OPERATORS: Readonly<Record<string, Bound['operator']>> = {
  '': '=',
  '=': '=',
  '==': '=',
  '!': '!=',
  '!=': '!=',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '<=': '<=',
};

/** Reads a skip range; `undefined` when OLM would ignore it as unreadable. */
export function parseSkipRange(text: string): SkipRange | undefined {
  // A space after a comparison sign belongs to the comparator.
  const words = text.replace(/([<>=]) +/g, '$1').split(' ');
  const groups: Bound[][] = [[]];
  for (const word of words.filter((candidate) => candidate.length > 1)) {
    if (word === '||') {
      groups.push([]);
      continue;
    }
    const bounds = parseWord(word);
    if (bounds === undefined) return undefined;
    groups.at(-1)?.push(...bounds);
  }
  return groups.every((group) => group.length > 0) ? groups : undefined;
}

export function inSkipRange(version: SemVer, range: SkipRange): boolean {
  return range.some((group) => group.every((bound) => satisfies(version, bound)));
}

function parseWord(word: string): Bound[] | undefined {
  const start = word.search(/\d/);
  const operator = OPERATORS[word.slice(0, start)];
  if (start === -1) return undefined;
  const wild = /^(\d+)(?:\.(\d+))?(?:\.x)?\.x$/.exec(word.slice(start));
  if (wild !== null) return expandWildcard(operator, word.slice(start), wild[1], wild[2]);
  const version = parseVersion(word.slice(start));
  return operator === undefined || version === undefined ? undefined : [{ operator, version }];
}

/** `1.2.x` reaches up to 1.3.0, `1.x` up to 2.0.0; `1.x.x` counts as a patch wildcard and reaches only up to 1.1.0. */
function expandWildcard(
  operator: Bound['operator'] | undefined,
  text: string,
  major = '0',
  minor = '0',
): Bound[] | undefined {
  const isPatchWildcard = text.split('.').length === 3;
  const low = parseVersion(`${major}.${minor}.0`);
  const high = parseVersion(isPatchWildcard ? `${major}.${Number(minor) + 1}.0` : `${Number(major) + 1}.${minor}.0`);
  if (low === undefined || high === undefined) return undefined;
  switch (operator) {
    case '>':
      return [{ operator: '>=', version: high }];
    case '>=':
    case '<':
      return [{ operator, version: low }];
    case '<=':
      return [{ operator: '<', version: high }];
    case '=':
      return [
        { operator: '>=', version: low },
        { operator: '<', version: high },
      ];
    case '!=':
      // Both must hold, so nothing is left: the module joins them with AND, whatever its documentation says.
      return [
        { operator: '<', version: low },
        { operator: '>=', version: high },
      ];
    case undefined:
      // An unknown sign before a wildcard is dropped.
      return [{ operator: '=', version: low }];
  }
}

function satisfies(version: SemVer, bound: Bound): boolean {
  const order = compareVersions(version, bound.version);
  switch (bound.operator) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
  }
}
