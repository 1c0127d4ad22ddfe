import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { configurationReference } from '../../../../infra/config/reference.ts';
import { formattedReference, REFERENCE_PAGE } from '../../../../infra/config/write-reference.ts';

describe('the reference page of the configuration', () => {
  it('is current', async () => {
    assert.equal(await readFile(REFERENCE_PAGE, 'utf8'), await formattedReference(), 'Run `make generate`.');
  });

  it('says for every setting what happens without it', () => {
    const page = configurationReference();
    assert.match(page, /\| `operators` \| list of group \| \*\*required\*\* \|/);
    assert.match(page, /\| `channel` \| one of stable, fast, candidate \| `"stable"` \|/);
    assert.match(page, /\| `kubeContext` \| text \| not set \|/);
  });
});
