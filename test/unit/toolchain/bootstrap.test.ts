import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

/** What the script uses of a bare system. */
const BASIC = ['cat', 'cmp', 'cp', 'dirname', 'head', 'ln', 'mkdir', 'rm', 'sed', 'sh', 'uname'];

describe('a fresh checkout on a Debian without certificate authorities', () => {
  let directory: string;
  let bin: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'bootstrap-'));
    bin = join(directory, 'bin');
    mkdirSync(bin);
    for (const name of BASIC) {
      const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
      symlinkSync(path.trim(), join(bin, name));
    }
    symlinkSync(process.execPath, join(bin, 'node'));
    command('id', 'echo 1000');
    command('apt-get', 'exit 1');
    for (const path of ['toolchain/bootstrap.sh', 'toolchain/programs.yaml', 'package-lock.json']) {
      cpSync(join(checkout, path), join(directory, 'checkout', path));
    }
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function command(name: string, script: string): void {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }

  function bootstrap(): { status: number | null; stderr: string } {
    const env = { PATH: bin, HOME: directory, SSL_CERT_FILE: join(directory, 'none') };
    return spawnSync(join(bin, 'sh'), [join(directory, 'checkout/toolchain/bootstrap.sh')], { env, encoding: 'utf8' });
  }

  it('needs none where there are Node and npm', () => {
    command('npm', 'mkdir node_modules');
    const { status, stderr } = bootstrap();
    assert.equal(stderr, 'npm packages: installing what package-lock.json names\n');
    assert.equal(status, 0);
  });

  it('is told to install them where npm has to be fetched', () => {
    const { status, stderr } = bootstrap();
    assert.match(stderr, /certificate authorities are missing\. Install them: sudo apt-get install ca-certificates\n$/);
    assert.equal(status, 1);
  });
});
