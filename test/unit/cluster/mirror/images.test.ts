import assert from 'node:assert/strict';
import { sharedLibraries, staticRecipe } from '../../../../cluster/mirror/images.ts';

describe('the libraries of a program', () => {
  it('are the files that ldd names', () => {
    const listing = `
	linux-vdso.so.1 (0x00007efde1251000)
	libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007efde0f20000)
	/lib64/ld-linux-x86-64.so.2 (0x00007efde1253000)
`;
    assert.deepEqual(sharedLibraries(listing), ['/lib/x86_64-linux-gnu/libm.so.6', '/lib64/ld-linux-x86-64.so.2']);
  });
});

describe('the image of a program', () => {
  it('has it under the name that a manifest starts, whatever version it is', () => {
    const { files, dockerfile } = staticRecipe('catalogd-1.5', '/cache/catalogd-1.5');
    assert.deepEqual([...files], [['catalogd', '/cache/catalogd-1.5']]);
    assert.match(dockerfile, /^ENTRYPOINT \["\/catalogd"\]$/m);
  });
});
