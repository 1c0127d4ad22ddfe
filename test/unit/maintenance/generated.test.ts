import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { absolutePath, generatedFiles } from '../../../maintenance/generated.ts';

describe('files that are made from the code', () => {
  it('are current', async function () {
    this.timeout(60_000);
    for (const [path, text] of await generatedFiles()) {
      assert.equal(await readFile(absolutePath(path), 'utf8'), text, `${path} is not current: run make generate`);
    }
  });
});
