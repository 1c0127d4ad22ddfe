import type { Job } from './answer.ts';

/** A reader that waits for work. */
interface Waiting {
  readonly reader: string;
  readonly take: (job: Job) => void;
}

interface Pending {
  readonly job: Job;
  readonly resolve: (text: string) => void;
}

/** How long a reader counts as present after it last asked for work. */
const PRESENT_MS = 15_000;

/** Brings requests of a consumer group to the readers that ask for work of that group. */
export class Broker {
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #queued = new Map<string, Pending[]>();
  readonly #running = new Map<string, Pending>();
  readonly #seen = new Map<string, Map<string, number>>();
  readonly #now: () => number;
  #next = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The readers of every group that has been asking for work lately. */
  groups(): Readonly<Record<string, readonly string[]>> {
    const entries = [...this.#seen].map(([group, readers]) => {
      const present = [...readers].filter(([, at]) => this.#now() - at < PRESENT_MS).map(([reader]) => reader);
      return [group, present.sort()] as const;
    });
    return Object.fromEntries(entries.filter(([, readers]) => readers.length > 0));
  }

  /** Sends a request to a group; undefined when it has no reader. */
  ask(group: string, messages: Job['messages']): Promise<string> | undefined {
    if (this.groups()[group] === undefined) return undefined;
    this.#next += 1;
    const id = String(this.#next);
    return new Promise((resolve) => {
      const pending = { job: { id, messages }, resolve };
      const reader = this.#waiting.get(group)?.shift();
      if (reader === undefined) append(this.#queued, group, pending);
      else this.#start(pending, reader.take);
    });
  }

  /** A reader asks for work of its group; `take` is called once, with the next job. */
  offer(group: string, reader: string, take: (job: Job) => void): () => void {
    const seen = this.#seen.get(group) ?? new Map<string, number>();
    this.#seen.set(group, seen.set(reader, this.#now()));
    const queued = this.#queued.get(group)?.shift();
    if (queued !== undefined) {
      this.#start(queued, take);
      return () => undefined;
    }
    const waiting = { reader, take };
    append(this.#waiting, group, waiting);
    return () => remove(this.#waiting, group, waiting);
  }

  /** A reader has finished a job. */
  finish(id: string, text: string): void {
    this.#running.get(id)?.resolve(text);
    this.#running.delete(id);
  }

  #start(pending: Pending, take: (job: Job) => void): void {
    this.#running.set(pending.job.id, pending);
    take(pending.job);
  }
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  lists.set(key, [...(lists.get(key) ?? []), item]);
}

function remove<T>(lists: Map<string, T[]>, key: string, item: T): void {
  lists.set(
    key,
    (lists.get(key) ?? []).filter((each) => each !== item),
  );
}
