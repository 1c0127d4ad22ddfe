import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { layoutOf } from '../../../cluster/embedded/layout.ts';
import { readSettings, settingsPath } from '../../../cluster/embedded/settings.ts';

describe('the stacks of the examples', () => {
  it('take the demo runtime from the registry of the embedded cluster, so that they can be applied as they are', () => {
    const { registry } = layoutOf(readSettings(settingsPath({})));
    for (const file of globSync('examples/*/stack*.yaml')) {
      assert.match(readFileSync(file, 'utf8'), new RegExp(`repository: ${registry}/demo-runtime\\n`), file);
    }
  });
});
