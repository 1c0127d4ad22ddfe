export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** The delay before the n-th try after a failure (n from 0): doubles each time up to the most. */
export function exponentialDelay(failures: number, { baseMs, maxMs }: BackoffOptions): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(failures, 30));
}

/** Spreads a delay over [delay/2, delay], so that what failed together does not try again together. */
export function jitter(delayMs: number, random: () => number = Math.random): number {
  return delayMs / 2 + (delayMs / 2) * random();
}
