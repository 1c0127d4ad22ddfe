import assert from 'node:assert/strict';
import type { SemVer } from 'semver';
import { parseReleaseVersion } from '../../../../components/catalog/version.ts';
import {
  bumpBetween,
  nextVersionProblems,
  nextVersions,
  previousRelease,
} from '../../../../cli/release/next-version.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

function version(text: string): SemVer {
  return parseReleaseVersion(text) ?? assert.fail(text);
}

function why(wanted: string, ...taken: readonly string[]): string {
  return nextVersionProblems(wanted, taken.map(version)).map(formatProblem).join('\n');
}

describe('the next version', () => {
  it('is 3.0.0 at first, since 1.x and 2.x of the package exist elsewhere', () => {
    assert.deepEqual(nextVersions([]), ['3.0.0']);
    assert.equal(why('v3.0.0'), '');
    assert.equal(why('3.0.0-rc.1'), '');
    assert.equal(
      why('1.0.0'),
      'VERSION: is not the next version: 1.x and 2.x of this package exist elsewhere (got "1.0.0"). Release 3.0.0.',
    );
  });

  it('is the next patch of a minor version, the next minor of a major, or the next major', () => {
    const taken = ['3.0.0', '3.0.1', '3.1.0', '4.0.0'];
    assert.deepEqual(nextVersions(taken.map(version)), ['3.0.2', '3.1.1', '4.0.1', '3.2.0', '4.1.0', '5.0.0']);
    for (const next of ['3.0.2', '3.1.1', '3.2.0', '4.1.0', '5.0.0', '5.0.0-rc.1'])
      assert.equal(why(next, ...taken), '');
    for (const other of ['3.0.1', '3.0.3', '3.3.0', '3.2.1', '6.0.0', '2.9.0']) {
      assert.match(why(other, ...taken), /^VERSION: is not the next version .* Release 3\.0\.2, .* or 5\.0\.0\.$/);
    }
  });

  it('comes after the pre-releases of its own number, which take nothing from it', () => {
    assert.equal(why('3.0.0', '3.0.0-rc.1'), '');
    assert.equal(why('3.0.0-rc.2', '3.0.0-rc.1'), '');
    assert.equal(
      why('3.0.0-rc.1', '3.0.0-rc.2'),
      'VERSION: does not come after the pre-release 3.0.0-rc.2 (got "3.0.0-rc.1"). Release 3.0.0, or a later pre-release of it.',
    );
    assert.match(why('3.0.0-rc.3', '3.0.0'), /is not the next version/);
  });

  it('is a semantic version without build metadata', () => {
    assert.equal(why('3.0', '3.0.0'), 'VERSION: is not a semantic version (got "3.0"). Write X.Y.Z.');
    assert.match(why('3.0.1+build', '3.0.0'), /has build metadata, .* Write 3\.0\.1\.$/);
  });

  it('is compared with the newest release before it that is no pre-release', () => {
    const released = ['3.0.0', '3.1.0-rc.1', '3.1.0', '4.0.0-rc.1', '3.0.1'].map(version);
    const pairs = { '3.0.2': '3.0.1', '3.1.1': '3.1.0', '4.0.0': '3.1.0', '3.0.0': undefined };
    for (const [next, previous] of Object.entries(pairs)) {
      assert.equal(previousRelease(version(next), released)?.version, previous);
    }
  });

  it('grows by what differs', () => {
    assert.equal(bumpBetween(version('3.0.0'), version('3.0.1')), 'patch');
    assert.equal(bumpBetween(version('3.0.5'), version('3.1.0-rc.1')), 'minor');
    assert.equal(bumpBetween(version('3.9.0'), version('4.0.0')), 'major');
  });
});
