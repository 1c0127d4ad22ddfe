import assert from 'node:assert/strict';
import { join } from 'node:path';
import { binDirectory } from '../../../toolchain/places.ts';
import { CommandError, run } from '../../../packages/lib/command.ts';

/** What it says when it is started outside of a cluster, where it cannot go on for long. */
async function start(...args: readonly string[]): Promise<string> {
  try {
    return await run(join(binDirectory, 'operator-controller'), args);
  } catch (error) {
    assert.ok(error instanceof CommandError);
    return error.output;
  }
}

/** It is built without boxcutter: docs/reference/changed-programs.md. */
describe('operator-controller as it is built here', function () {
  this.timeout(60_000);

  for (const gate of ['BoxcutterRuntime=true', 'AllAlpha=true']) {
    it(`refuses the feature gate ${gate} and says why`, async () => {
      const output = await start(`--feature-gates=${gate}`);
      assert.match(output, /feature gate BoxcutterRuntime: this build of operator-controller cannot do it/);
      assert.match(output, /turn the gate off .* or run the released image/);
    });
  }

  it('goes on and looks for its service account with all gates as they are', async () => {
    const output = await start();
    assert.doesNotMatch(output, /this build of operator-controller/);
    assert.match(output, /serviceaccount\/token: no such file/);
  });
});
