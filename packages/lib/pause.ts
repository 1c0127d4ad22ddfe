import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** Waits; false when the signal was aborted meanwhile. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** Waits for the work, or until the signal is aborted. */
export async function unlessAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (signal.aborted) return;
  const done = new AbortController();
  const aborted = once(signal, 'abort', { signal: done.signal }).catch(() => undefined);
  await Promise.race([work().finally(() => done.abort()), aborted]);
}
