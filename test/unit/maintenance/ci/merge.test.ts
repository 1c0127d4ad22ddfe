import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeInto } from '../../../../maintenance/ci/downstream/merge.ts';
import { run } from '../../../../packages/lib/command.ts';

const IDENTITY = ['-c', 'user.name=Release Bot', '-c', 'user.email=releases@example.com'];

describe('a release for a repository that carries this one', function () {
  this.timeout(60_000);
  const root = mkdtempSync(join(tmpdir(), 'merge-'));
  const [ours, theirs] = [join(root, 'ours'), join(root, 'owner/theirs')];
  after(() => rmSync(root, { recursive: true }));

  const git = (directory: string, ...args: readonly string[]): Promise<string> =>
    run('git', ['-C', directory, ...IDENTITY, ...args]);

  async function commit(directory: string, text: string): Promise<void> {
    writeFileSync(join(directory, 'README.md'), text);
    await git(directory, 'add', '--all');
    await git(directory, 'commit', '--quiet', '--message', text);
  }

  before(async () => {
    await run('git', ['init', '--quiet', '--initial-branch=main', ours]);
    await commit(ours, 'begin');
    await run('git', ['clone', '--quiet', '--bare', ours, theirs]);
    const branch = join(root, 'branch');
    await run('git', ['clone', '--quiet', theirs, branch]);
    await commit(branch, 'their own words');
    await git(branch, 'push', '--quiet', 'origin', 'HEAD:stable');
    await commit(ours, 'release');
    await git(ours, 'tag', 'v3.1.0');
  });

  const merge = (branch: string): ReturnType<typeof mergeInto> =>
    mergeInto('owner/theirs', branch, ours, {
      version: 'v3.1.0',
      identity: IDENTITY,
      makeArguments: [],
      url: (repository) => join(root, repository),
    });

  it('is merged by a commit of its own, once', async () => {
    assert.match((await merge('main')).text, /^v3\.1\.0 is merged into owner\/theirs, branch main\./);
    assert.equal((await git(theirs, 'log', '-1', '--format=%s %an', 'main')).trim(), 'Merge v3.1.0 Release Bot');
    const head = await git(theirs, 'rev-parse', 'main');
    assert.deepEqual(await merge('main'), { text: 'owner/theirs, branch main, has v3.1.0.', isDone: true });
    assert.equal(await git(theirs, 'rev-parse', 'main'), head);
  });

  it('leaves a branch that conflicts as it was, and says what a person does', async () => {
    const head = await git(theirs, 'rev-parse', 'stable');
    assert.deepEqual(await merge('stable'), {
      text: 'owner/theirs, branch stable: README.md conflict. Run `git merge --no-ff v3.1.0` there, resolve, and push.',
      isDone: false,
      hasFailed: true,
    });
    assert.equal(await git(theirs, 'rev-parse', 'stable'), head);
  });
});
