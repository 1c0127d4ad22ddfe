import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { SemVer } from 'semver';
import { parseVersion } from '../../../../components/catalog/version.ts';

interface Recording {
  readonly versions: readonly string[];
  readonly ranges: Readonly<Record<string, string | null>>;
}

type Matcher = (version: SemVer) => boolean;

/**
 * Compares a reader of ranges with what the Go module that OLM uses said of the same ranges and versions.
 * The recordings were made once, by a program that calls the module named in their `source` and prints what it answers.
 */
export async function checkRecording(file: string, read: (text: string) => Matcher | undefined): Promise<number> {
  const recording = JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8')) as Recording;
  const versions = recording.versions.map((text) => parseVersion(text)).filter((version) => version !== undefined);
  assert.equal(versions.length, recording.versions.length, 'every recorded version is readable');
  const differences = Object.entries(recording.ranges).flatMap(([text, recorded]) => {
    const matches = read(text);
    const ours = matches === undefined ? null : versions.map((version) => (matches(version) ? '1' : '0')).join('');
    return ours === recorded
      ? []
      : [`${JSON.stringify(text)}: recorded ${recorded ?? 'invalid'}, got ${ours ?? 'invalid'}`];
  });
  assert.deepEqual(differences, []);
  return Object.keys(recording.ranges).length;
}
