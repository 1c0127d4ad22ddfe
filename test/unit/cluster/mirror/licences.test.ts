import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectedLicences, licencesOf, packageNames } from '../../../../cluster/mirror/licences.ts';
import { StandIns } from '../../../support/machine/stand-ins.ts';

describe('licences', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'licences-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are those that were collected at the build, in folders of their own', () => {
    mkdirSync(join(directory, 'serde-1.0.0'));
    for (const path of ['crates.txt', 'serde-1.0.0/LICENSE-MIT']) writeFileSync(join(directory, path), '');
    assert.deepEqual(Object.fromEntries(collectedLicences(directory)), {
      'licenses/crates.txt': join(directory, 'crates.txt'),
      'licenses/serde-1.0.0/LICENSE-MIT': join(directory, 'serde-1.0.0/LICENSE-MIT'),
    });
  });

  it('of libraries are known by the packages that have them', () => {
    const found = `libssl3:amd64: /usr/lib/x86_64-linux-gnu/libssl.so.3
libstdc++6: /usr/lib/libstdc++.so.6
diversion by libc6 from: /lib64/ld-linux-x86-64.so.2
dpkg-query: no path found matching pattern /usr/usr/lib/a
`;
    assert.deepEqual(packageNames(found), ['libssl3', 'libstdc++6']);
  });

  it('are looked for by every path that a package may have a library at', async () => {
    const at = (name: string): string => join(directory, name);
    const [real, link] = [at('liba.so.1'), at('liba.so')];
    writeFileSync(real, '');
    symlinkSync(real, link);
    const standIns = new StandIns({
      'dpkg-query': `echo "$@" > '${at('log')}'; echo "no-such-package: ${real}"; exit 1`,
    });
    try {
      assert.deepEqual(await licencesOf([link]), []);
      const asked = readFileSync(at('log'), 'utf8').trim().split(' ');
      assert.deepEqual(asked, ['--search', link, `/usr${link}`, link, real, `/usr${real}`, real]);
    } finally {
      standIns.remove();
    }
  });
});
