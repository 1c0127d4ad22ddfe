import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { currentReadme, README } from '../../../../cluster/tools/compatibility.ts';

describe('the table of versions in README.md', () => {
  it('is current', async () => {
    assert.equal(await readFile(README, 'utf8'), await currentReadme(), 'run `make generate`');
  });
});
