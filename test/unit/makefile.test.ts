import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkout } from '../../cluster/tools/places.ts';

describe('the Makefile', () => {
  it('explains each of its targets', () => {
    const targets = [...readFileSync(`${checkout}/Makefile`, 'utf8').matchAll(/^\.PHONY: (\S+)$/gm)].map(
      ([, target]) => target,
    );
    const help = execFileSync('make', ['--directory', checkout, 'help'], { encoding: 'utf8' });
    const explained = [...help.matchAll(/^ {2}(\S+) +\S.*\.$/gm)].map(([, target]) => target);
    assert.deepEqual(explained, targets);
  });

  for (const target of ['status', 'audit', 'catalog-show', 'env']) {
    it(`lists the stacks that exist when ${target} names another`, () => {
      const { status, stderr } = spawnSync('make', ['--directory', checkout, target, 'STACK=nope'], {
        encoding: 'utf8',
      });
      assert.equal(status, 2);
      assert.match(
        stderr,
        /^Pulumi\.nope\.yaml: there is no such stack\. Stacks of this checkout: .*\bdev\b.*\bprod\b/,
      );
    });
  }
});
