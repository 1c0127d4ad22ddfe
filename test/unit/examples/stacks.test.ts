import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { EXAMPLE_REGISTRY } from '../../../cli/demo/show-demo.ts';
import { layoutOf } from '../../../cluster/embedded/layout.ts';
import { readSettings, settingsPath } from '../../../cluster/embedded/settings.ts';

describe('the stacks of the examples', () => {
  it('take the demo runtime from the registry of the embedded cluster, so that they can be applied as they are', () => {
    assert.equal(layoutOf(readSettings(settingsPath({}))).registry, EXAMPLE_REGISTRY);
    for (const file of globSync('examples/*/stack*.yaml')) {
      assert.match(readFileSync(file, 'utf8'), new RegExp(`repository: ${EXAMPLE_REGISTRY}/demo-runtime\\n`), file);
    }
  });
});
