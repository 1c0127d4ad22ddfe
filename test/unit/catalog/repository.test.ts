import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { lockProblems, templateProblems } from '../../../components/catalog/append-only.ts';
import { parseLock } from '../../../components/catalog/lock.ts';
import { parseTemplate, templateImages } from '../../../components/catalog/template.ts';
import { refreshWaysOut } from '../../../components/catalog/withdraw.ts';
import { PACKAGE } from '../../../packages/api/operator-names.ts';
import { formatProblem } from '../../../packages/lib/problem.ts';

const LOCK = 'catalog/catalog.lock.yaml';
const TEMPLATE = 'catalog/operator_catalog.yaml';

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

describe("this repository's catalog", () => {
  const lock = parseLock(readFileSync(LOCK, 'utf8'), LOCK);

  it('lists exactly what was released', () => {
    assert.equal(lock.package, PACKAGE);
    const template = parseTemplate(readFileSync(TEMPLATE, 'utf8'), TEMPLATE);
    assert.deepEqual(templateProblems(template, lock, TEMPLATE).map(formatProblem), []);
  });

  it('has never lost or changed a release in its history', () => {
    const commits = git('log', '--format=%H', '--', LOCK).split('\n').filter(Boolean);
    for (const commit of commits) {
      const before = parseLock(git('show', `${commit}:${LOCK}`), LOCK);
      assert.deepEqual(lockProblems(before, lock, `${LOCK} since ${commit}`).map(formatProblem), []);
    }
  });

  it('has a development template of at least two majors', () => {
    const file = 'catalog/operator_catalog_dev.yaml';
    const tags = templateImages(parseTemplate(readFileSync(file, 'utf8'), file)).map((image) =>
      image.split(':').at(-1),
    );
    assert.ok(new Set(tags.map((tag) => tag?.split('.')[0])).size >= 2);
  });

  it('has deprecations that can be read, with the ways out that it has now', () => {
    const file = 'catalog/deprecations.yaml';
    const text = readFileSync(file, 'utf8');
    const state = { template: readFileSync(TEMPLATE, 'utf8'), file: TEMPLATE, lock };
    assert.equal(
      refreshWaysOut(state, { text, file }),
      text,
      'run make catalog-withdraw once more, for the same reason',
    );
  });
});
