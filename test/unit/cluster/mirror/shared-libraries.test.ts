import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineLibraries, sharedLibraries } from '../../../../cluster/mirror/shared-libraries.ts';
import { StandIns } from '../../../support/machine/stand-ins.ts';

describe('the libraries of a program', () => {
  it('are the files that ldd names', () => {
    const listing = `
	linux-vdso.so.1 (0x00007efde1251000)
	libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007efde0f20000)
	/lib64/ld-linux-x86-64.so.2 (0x00007efde1253000)
`;
    assert.deepEqual(sharedLibraries(listing), ['/lib/x86_64-linux-gnu/libm.so.6', '/lib64/ld-linux-x86-64.so.2']);
  });

  it('are at the same paths in the image', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'libraries-'));
    const library = join(directory, 'liba.so');
    writeFileSync(library, '');
    const standIns = new StandIns({ ldd: `echo "liba.so => ${library} (0x1)"`, 'dpkg-query': 'exit 1' });
    try {
      const files = new Map(await machineLibraries('/any'));
      assert.equal(files.get(library.slice(1)), library);
    } finally {
      standIns.remove();
      rmSync(directory, { recursive: true });
    }
  });
});
