import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../packages/lib/error.ts';

const POLL_MS = 500;

/**
 * Runs the work while no other process does it. A dead process does not block others.
 *
 * Two waiters that find the same dead holder at the same moment may both go ahead. That wastes time and does no harm, because
 * products are published by renaming a finished folder; the lock only saves building the same thing twice.
 */
export async function exclusively<T>(
  lockFile: string,
  onWait: (pid: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(dirname(lockFile), { recursive: true });
  let told = false;
  while (!tryLock(lockFile)) {
    const holder = holderOf(lockFile);
    if (holder === undefined || !isAlive(holder)) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (!told) onWait(holder);
    told = true;
    await delay(POLL_MS);
  }
  const release = (): void => rmSync(lockFile, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function tryLock(lockFile: string): boolean {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function holderOf(lockFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
