import { exponentialDelay, type BackoffOptions } from './backoff.ts';
import { Lanes, type Sharing } from './lanes.ts';

/** What a queue tells about itself; the names follow client-go's workqueue metrics. */
export interface QueueObserver {
  depth(length: number): void;
  added(): void;
  retried(): void;
  /** How long a key waited before a worker took it. */
  waited(seconds: number): void;
  /** How long a worker was busy with it. */
  worked(seconds: number): void;
}

export interface QueueOptions {
  readonly backoff?: BackoffOptions;
  readonly observer?: QueueObserver;
  /** Without it, first come, first served. */
  readonly sharing?: Sharing;
}

const DEFAULT_BACKOFF: BackoffOptions = { baseMs: 5, maxMs: 60_000 };

/** A key that is due after this is no work at hand: it may be looked at in case of something that mostly does not happen. */
const SOON_MS = 10_000;

/**
 * Keys to work on. A key that is added while it waits is handled once; one that is added while a worker has it is handled
 * again afterwards, never by two workers at a time. A failed key comes back after its own, growing delay.
 */
export class Queue {
  readonly #backoff: BackoffOptions;
  readonly #observer: QueueObserver | undefined;
  /** Keys that wait for a worker, with the time at which they came. */
  readonly #waiting = new Map<string, number>();
  readonly #lanes: Lanes;
  readonly #processing = new Map<string, number>();
  /** Keys that were added while they were being worked on. */
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #delayed = new Map<string, { timer: NodeJS.Timeout; at: number }>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #closed = false;

  constructor(options: QueueOptions = {}) {
    this.#backoff = options.backoff ?? DEFAULT_BACKOFF;
    this.#observer = options.observer;
    this.#lanes = new Lanes(options.sharing);
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Nothing waits, nothing is being worked on, and nothing is due soon. */
  get idle(): boolean {
    if (this.#waiting.size + this.#processing.size > 0) return false;
    const soon = performance.now() + SOON_MS;
    return [...this.#delayed.values()].every(({ at }) => at > soon);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  add(key: string): void {
    if (this.#closed || this.#waiting.has(key)) return;
    this.#cancelDelayed(key);
    this.#observer?.added();
    if (this.#processing.has(key)) this.#again.add(key);
    else this.#enqueue(key);
  }

  /** Adds the key later; of two delays for one key the earlier counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
    const at = performance.now() + delayMs;
    const pending = this.#delayed.get(key);
    if (pending !== undefined && pending.at <= at) return;
    this.#cancelDelayed(key);
    const timer = setTimeout(() => {
      this.#delayed.delete(key);
      this.add(key);
    }, delayMs);
    this.#delayed.set(key, { timer, at });
  }

  /** Adds the key after a delay that grows with each failure since the last `forget`. */
  addRateLimited(key: string, backoff = this.#backoff): void {
    const failures = this.failures(key);
    this.#failures.set(key, failures + 1);
    this.#observer?.retried();
    this.addAfter(key, exponentialDelay(failures, backoff));
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key, which belongs to the caller until `done`; nothing when the queue has been shut down. */
  take(): Promise<string | undefined> {
    const next = this.#lanes.next();
    if (next !== undefined) return Promise.resolve(this.#start(next));
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(key: string): void {
    const started = this.#processing.get(key);
    if (started !== undefined) this.#observer?.worked((performance.now() - started) / 1000);
    if (this.#processing.delete(key)) this.#lanes.done(key);
    if (this.#again.delete(key) && !this.#closed) this.#enqueue(key);
    else this.#serve();
  }

  /** Hands out nothing more: waiting keys are dropped, since the next leader lists everything anyway. */
  shutDown(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#lanes.clear();
    for (const key of [...this.#delayed.keys()]) this.#cancelDelayed(key);
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #enqueue(key: string): void {
    this.#waiting.set(key, performance.now());
    this.#lanes.add(key);
    this.#serve();
    this.#observer?.depth(this.#waiting.size);
  }

  /** Gives idle workers what there is for them. */
  #serve(): void {
    while (this.#takers.length > 0) {
      const next = this.#lanes.next();
      if (next === undefined) return;
      this.#takers.shift()?.(this.#start(next));
    }
  }

  #start(key: string): string {
    const now = performance.now();
    this.#observer?.waited((now - (this.#waiting.get(key) ?? now)) / 1000);
    this.#waiting.delete(key);
    this.#processing.set(key, now);
    this.#lanes.start(key);
    this.#observer?.depth(this.#waiting.size);
    return key;
  }

  #cancelDelayed(key: string): void {
    clearTimeout(this.#delayed.get(key)?.timer);
    this.#delayed.delete(key);
  }
}

/**
 * Handles the queue's keys with the given number of workers until it is shut down, and returns when the last of them has
 * ended. An error that a handler lets through ends all of them.
 */
export async function runWorkers(queue: Queue, workers: number, handle: (key: string) => Promise<void>): Promise<void> {
  const work = async (): Promise<void> => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      try {
        await handle(key);
      } catch (error) {
        queue.shutDown();
        throw error;
      } finally {
        queue.done(key);
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: workers }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
