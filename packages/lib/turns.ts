/** How long all work together may keep timers and connections waiting. */
const TURN_MS = 10;

/** Work that has waited for longer gets every fourth turn: short work may keep coming for ever, and long work has to end. */
const PATIENCE_MS = 100;
const OLDEST_EACH = 4;

/** A share of the event loop. Work that may take long asks after each small part whether it is over. */
export interface Turn {
  /** Nothing while the turn lasts; else what to wait for until the next one. */
  yieldIfDue(): Promise<void> | undefined;
}

interface Waiting {
  /** How often the same work has waited already. */
  readonly waits: number;
  readonly since: number;
  readonly resume: () => void;
}

/**
 * Divides long work into turns, so that the Lease is renewed and others are answered meanwhile. In each turn of the event loop, one piece of
 * waiting work goes on: the one that has had the fewest turns, so that short work never waits for all long work, and now and then the one
 * that has waited longest.
 */
export class Turns {
  readonly #now: () => number;
  readonly #next: (resume: () => void) => void;
  /** From the one that goes on next. */
  readonly #waiting: Waiting[] = [];
  #since: number;
  #turns = 0;

  constructor(now: () => number = () => performance.now(), next: (resume: () => void) => void = setImmediate) {
    this.#now = now;
    this.#next = next;
    this.#since = now();
  }

  begin(): Turn {
    let waits = 0;
    return {
      yieldIfDue: () => {
        if (this.#now() - this.#since < TURN_MS) return undefined;
        waits += 1;
        return this.#wait(waits);
      },
    };
  }

  #wait(waits: number): Promise<void> {
    return new Promise((resume) => {
      const after = this.#waiting.findIndex((other) => other.waits > waits);
      this.#waiting.splice(after < 0 ? this.#waiting.length : after, 0, { waits, since: this.#now(), resume });
      if (this.#waiting.length === 1) this.#next(() => this.#goOn());
    });
  }

  #goOn(): void {
    this.#since = this.#now();
    this.#turns += 1;
    const next = this.#turns % OLDEST_EACH === 0 ? this.#oldest() : 0;
    this.#waiting.splice(next, 1)[0]?.resume();
    if (this.#waiting.length > 0) this.#next(() => this.#goOn());
  }

  /** The one that has waited longest, if that is too long; else the one whose turn it is. */
  #oldest(): number {
    const times = this.#waiting.map(({ since }) => since);
    const first = Math.min(...times);
    return this.#since - first > PATIENCE_MS ? times.indexOf(first) : 0;
  }
}

/** A process has one event loop, whoever works in it. */
export const turns = new Turns();
