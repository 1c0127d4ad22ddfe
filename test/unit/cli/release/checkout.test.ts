import assert from 'node:assert/strict';
import type { SemVer } from 'semver';
import type { LockedVersion } from '../../../../components/catalog/lock.ts';
import { parseReleaseVersion } from '../../../../components/catalog/version.ts';
import { checkoutProblems } from '../../../../cli/release/checkout.ts';
import { takenVersions } from '../../../../cli/release/taken.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

function version(text: string): SemVer {
  return parseReleaseVersion(text) ?? assert.fail(text);
}

const NOBODY = { changes: () => Promise.resolve([] as string[]), tagged: () => Promise.resolve(undefined) };
const nothingPushed = (): Promise<boolean> => Promise.resolve(false);
const WANTED = { version: version('3.0.1'), channel: 'Candidate' } as const;
const CATALOGUED = { versions: [version('3.0.0')] };

describe('a checkout that is to be released', () => {
  const problems = async (...args: Parameters<typeof checkoutProblems>): Promise<string[]> =>
    (await checkoutProblems(...args)).map(formatProblem);

  it('is as it was committed, and has no tag of the version', async () => {
    assert.deepEqual(await problems(WANTED, CATALOGUED, NOBODY, nothingPushed), []);
    const changes = (): Promise<string[]> => Promise.resolve(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const tagged = (): Promise<string> => Promise.resolve('abc');
    assert.deepEqual(await problems(WANTED, CATALOGUED, { changes, tagged }, nothingPushed), [
      'the checkout: a, b, c, d, e and 2 more: differs from the commit. Commit them, or put them away with git stash --include-untracked: a release is made from a commit.',
      'tag v3.0.1: commit: exists in git, though no such release is recorded (got "abc"). Release the next version, or remove a tag that is a mistake: git tag -d v3.0.1.',
    ]);
  });

  it('goes on with a version that it has recorded, in the channel that it had', async () => {
    const locked = { version: '3.0.1', streams: ['Candidate', 'Fast'] } as unknown as LockedVersion;
    const tagged = (): Promise<string> => Promise.resolve('abc');
    const catalogued = { ...CATALOGUED, locked };
    assert.deepEqual(await problems(WANTED, catalogued, { ...NOBODY, tagged }, nothingPushed), []);
    assert.deepEqual(await problems({ ...WANTED, channel: 'Stable' }, catalogued, NOBODY, nothingPushed), [
      'catalog/catalog.lock.yaml: CHANNEL: is not where 3.0.1 was released to (Candidate, Fast) (got "Stable"). Move it on with make catalog-promote VERSION=v3.0.1.',
    ]);
  });
});

describe('versions that are taken', () => {
  const taken = async (wanted: string, pushed: readonly string[], released = ['3.0.0']): Promise<string[]> => {
    const isPushed = (one: string): Promise<boolean> => Promise.resolve(pushed.includes(one));
    return (await takenVersions(version(wanted), released.map(version), isPushed)).map((one) => one.version);
  };

  it('are those that were released, and pushed ones that stand between them and the wanted one', async () => {
    assert.deepEqual(await taken('3.0.1', ['3.0.1']), ['3.0.0']);
    assert.deepEqual(await taken('3.0.3', ['3.0.1', '3.0.2']), ['3.0.0', '3.0.1', '3.0.2']);
    assert.deepEqual(await taken('3.1.1', ['3.1.0']), ['3.0.0', '3.1.0']);
    assert.deepEqual(await taken('3.0.1', ['3.0.0'], []), ['3.0.0']);
    assert.deepEqual(await taken('3.0.9', ['3.0.1']), ['3.0.0', '3.0.1']);
  });
});
