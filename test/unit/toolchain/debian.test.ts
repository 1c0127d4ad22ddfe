import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { debianRecipe, linkMovedFolders } from '../../../toolchain/debian.ts';

describe('an unpacked Debian package', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'debian-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('has a program by one path, in whichever folder its Debian has it', () => {
    for (const path of ['usr/bin/busybox', 'sbin/runc', 'usr/sbin/other']) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), path);
    }
    linkMovedFolders(root);
    assert.equal(readFileSync(join(root, 'bin/busybox'), 'utf8'), 'usr/bin/busybox');
    assert.equal(readFileSync(join(root, 'sbin/runc'), 'utf8'), 'sbin/runc');
    assert.equal(existsSync(join(root, 'sbin/other')), false);
  });

  it('is another product where other files of its release were tested', () => {
    const program = { debian: 'a', suite: 'forky', seconds: 1 };
    assert.notEqual(debianRecipe(program, 'one'), debianRecipe(program, 'two'));
    assert.equal(debianRecipe(program), debianRecipe({ ...program, seconds: 2 }));
  });
});
