/** How long all work together may keep timers and connections waiting. */
const TURN_MS = 10;

/**
 * Divides long work into turns, so that the Lease is renewed and others are answered meanwhile. Whoever works for long asks after
 * each small part; who has to wait goes on in the order of asking, one in each turn of the event loop.
 */
export class Turns {
  readonly #now: () => number;
  readonly #next: (resume: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #since: number;

  constructor(now: () => number = () => performance.now(), next: (resume: () => void) => void = setImmediate) {
    this.#now = now;
    this.#next = next;
    this.#since = now();
  }

  /** Nothing while the turn lasts; else what to wait for. */
  over(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#now() - this.#since < TURN_MS) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#next(() => this.#begin());
    });
  }

  #begin(): void {
    this.#since = this.#now();
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#next(() => this.#begin());
  }
}
