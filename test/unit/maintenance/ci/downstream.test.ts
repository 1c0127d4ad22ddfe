import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checklist } from '../../../../maintenance/ci/downstream/checklist.ts';
import { LIST, readDownstream } from '../../../../maintenance/ci/downstream/list.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';

describe('who gets a release besides this repository', () => {
  it('is nobody as committed', async () => {
    assert.deepEqual(readDownstream(await readFile(join(checkout, LIST), 'utf8')), { community: [], merges: [] });
  });

  it('is read as the guide writes it', async () => {
    const guide = await readFile(join(checkout, 'docs/how-to/publish-downstream.md'), 'utf8');
    const [, block = ''] = /```yaml\n([^`]*)```/.exec(guide) ?? [];
    assert.deepEqual(readDownstream(block), {
      community: [{ repository: 'k8s-operatorhub/community-operators', fork: 'your-organization/community-operators' }],
      merges: [{ repository: 'your-organization/inference-stack-fleet', branches: ['main', 'stable'] }],
    });
  });

  it('tells everything that is wrong at once, and lets no option into a command of git', () => {
    const text = `
      community: [{ repository: -x, fork: a/b/c }]
      merges: [{ repository: a/b, branches: [--force] }, { repository: a/b }]
      merge: []`;
    assert.throws(() => readDownstream(text, 'list'), {
      message: [
        'list: merge: is not known. Use community or merges.',
        'list: community[0].repository: is not a repository (got "-x"). Use owner/name.',
        'list: community[0].fork: is not a repository (got "a/b/c"). Use owner/name.',
        'list: merges[0].branches[0]: is not a branch (got "--force"). Name the branches in a list.',
        'list: merges[1].branches[0]: is not a branch. Name the branches in a list.',
      ].join('\n'),
    });
    assert.throws(
      () => readDownstream('community: all', 'list'),
      /^ProblemsError: list: community: is not a list of repositories/,
    );
  });

  it('is told to people with boxes, and what only they can do is never ticked', () => {
    const text = checklist('v3.1.0', [{ text: 'done', isDone: true }]);
    const [title, , first, ...others] = text.trim().split('\n');
    assert.deepEqual([title, first], ['### Release v3.1.0 elsewhere', '- [x] done']);
    assert.ok(others.length === 3 && others.every((line) => line.startsWith('- [ ] ')), text);
  });
});
