import type { WorkloadStatus } from './status.ts';

/** Phases of what is not ready; those that need a person come before those that pass. */
export const PHASES_WORST_FIRST = [
  'Failed',
  'Waiting',
  'Progressing',
] as const satisfies readonly WorkloadStatus['phase'][];
