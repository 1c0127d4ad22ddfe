import { formatProblem } from '../../packages/lib/problem.ts';
import { explain, type Cluster } from './explain.ts';
import type { Symptom } from './symptom.ts';
import type { Target } from './target.ts';

export interface WatcherOptions {
  readonly cluster: Cluster;
  /** Tells a person one thing. */
  readonly say: (line: string) => void;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Trouble that was not seen for this long has passed. Containers that crash run for a while in between. */
const FORGET_MS = 30_000;

/** However often its trouble changes, no more is said of one thing: by then a person looks for themselves. */
const MOST_LINES = 5;

/**
 * Looks at what is waited for, and says why it does not become ready. Each trouble is told once, when it has lasted. Nothing depends on
 * it: what cannot be looked at is not told.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #targets = new Map<string, Target>();
  /** When a trouble was seen first and last, by target and trouble. */
  readonly #seen = new Map<string, { since: number; last: number }>();
  /** What was told of each target, by trouble and by line. */
  readonly #told = new Map<string, Map<string, string>>();

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  add(target: Target): void {
    this.#targets.set(target.name, target);
  }

  remove({ name }: Pick<Target, 'name'>): void {
    this.#targets.delete(name);
  }

  /** Looks at everything once. */
  async look(): Promise<void> {
    const { cluster, now } = this.#options;
    for (const target of [...this.#targets.values()]) {
      const symptoms = await target.symptoms(cluster).catch(() => []);
      for (const symptom of symptoms) await this.#consider(target, symptom, now());
    }
    for (const [key, { last }] of this.#seen) if (now() - last > FORGET_MS) this.#seen.delete(key);
  }

  async #consider(target: Target, symptom: Symptom, now: number): Promise<void> {
    const key = JSON.stringify([target.name, symptom.object, symptom.id]);
    const { since } = this.#seen.get(key) ?? { since: now };
    this.#seen.set(key, { since, last: now });
    const told = this.#told.get(target.name) ?? new Map<string, string>();
    this.#told.set(target.name, told);
    if (now - since < symptom.patienceMs || told.has(key) || told.size >= MOST_LINES) return;
    const problem = await explain(symptom, this.#options.cluster, now);
    // It may have become ready while it was asked about.
    if (problem === undefined || !this.#targets.has(target.name)) return;
    const line = formatProblem(problem);
    if (![...told.values()].includes(line)) this.#options.say(line);
    told.set(key, line);
  }
}
