import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../support/machine/program.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

describe('the workflows', () => {
  it('are admitted by actionlint', () => {
    // Without shellcheck, which is not among the pinned programs and would be used if the machine happens to have it.
    const { status, stdout, stderr } = spawnSync(findProgram('actionlint'), ['-no-color', '-shellcheck='], {
      cwd: CHECKOUT,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
});
