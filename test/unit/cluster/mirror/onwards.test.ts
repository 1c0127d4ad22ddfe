import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onwardsRecipe } from '../../../../cluster/mirror/onwards.ts';
import { StandIns } from '../../../support/machine/stand-ins.ts';

describe('the image of the gateway Onwards', () => {
  it('has the program and the licences of its crates, and runs as nobody', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'onwards-'));
    mkdirSync(join(directory, 'licences'));
    writeFileSync(join(directory, 'licences/crates.txt'), '');
    const standIns = new StandIns({ ldd: 'echo "statically linked"', 'dpkg-query': 'exit 1' });
    try {
      const { files, dockerfile } = await onwardsRecipe(join(directory, 'onwards'));
      assert.equal(files.get('usr/bin/onwards'), join(directory, 'onwards'));
      assert.equal(files.get('licenses/crates.txt'), join(directory, 'licences/crates.txt'));
      assert.match(dockerfile, /^USER 10001:10001\nEXPOSE 3000 9090\nENTRYPOINT \["\/usr\/bin\/onwards"\]$/m);
    } finally {
      standIns.remove();
      rmSync(directory, { recursive: true });
    }
  });
});
