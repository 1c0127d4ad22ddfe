import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
});
