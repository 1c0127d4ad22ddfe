import type { Io } from '../io.ts';

/** One run of `fleet`. */
export interface Invocation {
  readonly io: Io;
  /** What follows `--`, for another program. */
  readonly passedOn: readonly string[];
  /** Waits for a command's work, whose exit code is that of `fleet`. */
  readonly finish: (work: Promise<number>) => Promise<void>;
}
