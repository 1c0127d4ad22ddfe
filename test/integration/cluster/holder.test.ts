import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isHolder, readHolder, writeHolder } from '../../../cluster/embedded/holder.ts';
import { eventually } from '../../support/machine/eventually.ts';

describe('the process that holds a cluster open', () => {
  let directory: string;
  let file: string;
  let child: ChildProcess;
  let pid: number;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'holder-'));
    file = join(directory, 'holder.pid');
    // Any program does, as long as it is called like the real one.
    copyFileSync('/bin/sleep', join(directory, 'catatonit'));
    child = spawn(join(directory, 'catatonit'), ['60'], { stdio: 'ignore' });
    pid = child.pid ?? -1;
    await eventually(() => assert.ok(isHolder(pid)));
  });

  afterEach(async () => {
    await end();
    rmSync(directory, { recursive: true });
  });

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  it('is found as long as it runs', async () => {
    writeHolder(file, pid);
    assert.equal(readHolder(file), pid);
    await end();
    assert.equal(readHolder(file), undefined);
  });

  it('is not a stranger who got its process id later', () => {
    writeHolder(file, pid);
    const [, started] = readFileSync(file, 'utf8').split(' ');
    writeFileSync(file, `${pid} ${Number(started) - 1}`);
    assert.equal(readHolder(file), undefined);
  });

  it('is not a stranger of another name', () => {
    writeHolder(file, process.pid);
    assert.equal(readHolder(file), undefined);
  });

  it('is nobody where nothing was ever started', () => {
    assert.equal(readHolder(file), undefined);
  });

  it('is still known of a cluster that an earlier version started', () => {
    writeFileSync(file, String(pid));
    assert.equal(readHolder(file), pid);
  });
});
