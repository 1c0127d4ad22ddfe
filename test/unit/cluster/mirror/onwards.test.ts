import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onwardsRecipe } from '../../../../cluster/mirror/onwards.ts';
import { StandIns } from '../../../support/machine/stand-ins.ts';

describe('the image of the gateway Onwards', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'onwards-'));
    place('licences/crates.txt');
    place('shell/usr/share/doc/busybox-static/copyright');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function place(path: string): void {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), '');
  }

  const recipeWith = async (shell: string): ReturnType<typeof onwardsRecipe> => {
    const standIns = new StandIns({ ldd: 'echo "statically linked"', 'dpkg-query': 'exit 1' });
    return onwardsRecipe(join(directory, 'onwards'), join(directory, shell)).finally(() => standIns.remove());
  };

  it('has the program and the licences of its crates, and runs as nobody', async () => {
    const { files, dockerfile } = await recipeWith('shell/bin/busybox');
    assert.equal(files.get('usr/bin/onwards'), join(directory, 'onwards'));
    assert.equal(files.get('licenses/crates.txt'), join(directory, 'licences/crates.txt'));
    assert.match(dockerfile, /^USER 10001:10001\nEXPOSE 3000 9090\nENTRYPOINT \["\/usr\/bin\/onwards"\]$/m);
  });

  it('has a shell with its licence, wherever the package has it', async () => {
    for (const shell of ['shell/bin/busybox', 'shell/usr/bin/busybox']) {
      const { files } = await recipeWith(shell);
      for (const name of ['bin/sh', 'bin/cat', 'bin/sleep']) assert.equal(files.get(name), join(directory, shell));
      assert.equal(
        files.get('licenses/busybox/copyright'),
        join(directory, 'shell/usr/share/doc/busybox-static/copyright'),
      );
    }
  });
});
