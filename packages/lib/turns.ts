/** How long all work together may keep timers and connections waiting. */
const TURN_MS = 10;

/** Who has waited for longer has every fourth turn: what is short may go on coming for ever, and what is long has to end. */
const PATIENCE_MS = 100;
const OLDEST_EACH = 4;

/** Something that may take long, and asks after each small part of it. */
export interface Work {
  /** Nothing while the turn lasts; else what to wait for. */
  over(): Promise<void> | undefined;
}

interface Waiting {
  /** How often the same work has waited already. */
  readonly waits: number;
  readonly since: number;
  readonly resume: () => void;
}

/**
 * Divides long work into turns, so that the Lease is renewed and others are answered meanwhile. One that waits goes on in each turn of
 * the event loop: the one that has had the fewest turns, so that what is short never waits for all that is long, and now and then the one that has
 * waited for longest.
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

  begin(): Work {
    let waits = 0;
    return {
      over: () => {
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

  /** The one that has waited for longest, if that is long; else the one whose turn it is. */
  #oldest(): number {
    const times = this.#waiting.map(({ since }) => since);
    const first = Math.min(...times);
    return this.#since - first > PATIENCE_MS ? times.indexOf(first) : 0;
  }
}

/** A process has one event loop, whoever works in it. */
export const turns = new Turns();
