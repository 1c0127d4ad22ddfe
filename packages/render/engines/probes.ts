import type { EngineFacts } from './table.ts';

const HOUR_SECONDS = 3600;
const STARTUP_PERIOD_SECONDS = 2;

/**
 * Probes that let a large model load: an hour for a download, with no liveness probe before it is over, and ready two seconds after the
 * engine answers.
 */
export function loadingProbes(path: string, ready = path): Pick<EngineFacts, 'startup' | 'readiness' | 'liveness'> {
  const timeoutSeconds = 5;
  return {
    startup: {
      path,
      periodSeconds: STARTUP_PERIOD_SECONDS,
      failureThreshold: HOUR_SECONDS / STARTUP_PERIOD_SECONDS,
      timeoutSeconds,
    },
    readiness: { path: ready, periodSeconds: 5, failureThreshold: 3, timeoutSeconds },
    // A busy engine may answer late: only one that is silent for a minute and a half has hung.
    liveness: { path, periodSeconds: 10, failureThreshold: 9, timeoutSeconds: 10 },
  };
}
