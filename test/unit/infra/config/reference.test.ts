import assert from 'node:assert/strict';
import { configurationReference } from '../../../../infra/config/reference.ts';

describe('the reference page of the configuration', () => {
  it('says for every setting what happens without it', () => {
    const page = configurationReference();
    assert.match(page, /\| `operators` \| list of group \| \*\*required\*\* \|/);
    assert.match(page, /\| `channel` \| one of stable, fast, candidate \| `"stable"` \|/);
    assert.match(page, /\| `kubeContext` \| text \| not set \|/);
  });
});
