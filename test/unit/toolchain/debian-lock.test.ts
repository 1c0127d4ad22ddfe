import assert from 'node:assert/strict';
import { archiveNames, sumLines } from '../../../toolchain/debian-lock.ts';

const LISTING = `'http://deb.debian.org/debian/pool/main/z/zlib/zlib1g_1.3_amd64.deb' zlib1g_1%3a1.3_amd64.deb 90912 MD5Sum:6
'http://deb.debian.org/debian/pool/main/g/gcc/libgcc-s1_16.2_amd64.deb' libgcc-s1_16.2_amd64.deb 74048 MD5Sum:1
`;

const SHOWN = `Package: zlib1g
Version: 1:1.3
Filename: pool/main/z/zlib/zlib1g_1.3_amd64.deb
SHA256: 52c5

Package: libgcc-s1
Filename: pool/main/g/gcc/libgcc-s1_16.2_amd64.deb
SHA256: 7dcc
`;

describe('the packages of a release that changes every day', () => {
  it('are known by the names under which apt saves them', () => {
    assert.deepEqual(archiveNames(LISTING), ['zlib1g_1%3a1.3_amd64.deb', 'libgcc-s1_16.2_amd64.deb']);
  });

  it('are written down as sha256sum prints sums, whatever epoch their version has', () => {
    assert.deepEqual(sumLines(SHOWN, archiveNames(LISTING)), [
      '52c5  zlib1g_1%3a1.3_amd64.deb',
      '7dcc  libgcc-s1_16.2_amd64.deb',
    ]);
  });

  it('are all written down, or none', () => {
    assert.throws(() => sumLines(SHOWN, ['libc6_2.43_amd64.deb']), /does not describe libc6_2\.43_amd64\.deb/);
  });
});
