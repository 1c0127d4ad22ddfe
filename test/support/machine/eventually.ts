import { setTimeout } from 'node:timers/promises';

/** Repeats a check until it no longer throws, and returns its result. After the deadline it throws the last error. */
export async function eventually<T>(check: () => Promise<T> | T, timeoutMs = 30_000, everyMs = 25): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await setTimeout(everyMs);
    }
  }
}
