import assert from 'node:assert/strict';
import { parseLibraries } from '../../../../cluster/images/contexts.ts';

describe('the libraries of a program', () => {
  it('are those with a path, the loader included', () => {
    const text = `\tlinux-vdso.so.1 (0x00007ffd)
\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f34)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f35)`;
    assert.deepEqual(parseLibraries(text), ['/lib/x86_64-linux-gnu/libm.so.6', '/lib64/ld-linux-x86-64.so.2']);
  });
});
