import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exclusively } from '../../../toolchain/exclusive.ts';

describe('exclusive work', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'exclusive-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is done by one at a time', async () => {
    const lock = join(directory, 'lock');
    let inside = 0;
    let most = 0;
    const waited: number[] = [];
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => exclusively(lock, (pid) => waited.push(pid), work)));
    assert.equal(most, 1);
    assert.deepEqual(waited, [process.pid, process.pid]);
    assert.equal(existsSync(lock), false);
  });

  it('waits for nobody who has died', async () => {
    const lock = join(directory, 'lock');
    const { pid } = spawnSync('true');
    writeFileSync(lock, String(pid));
    const waited: number[] = [];
    assert.equal(
      await exclusively(
        lock,
        (holder) => waited.push(holder),
        () => Promise.resolve('done'),
      ),
      'done',
    );
    assert.deepEqual(waited, []);
  });

  it('is given up when it fails', async () => {
    const lock = join(directory, 'lock');
    await assert.rejects(
      exclusively(
        lock,
        () => undefined,
        () => Promise.reject(new Error('no')),
      ),
      /no/,
    );
    assert.equal(existsSync(lock), false);
  });
});
