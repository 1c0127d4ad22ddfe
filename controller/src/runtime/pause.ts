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
