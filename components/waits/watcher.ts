import { formatProblem } from '../../packages/lib/problem.ts';
import { explain, type Cluster } from './explain.ts';
import type { Symptom } from './symptom.ts';
import type { Target } from './target.ts';

export interface WatcherOptions {
  readonly cluster: Cluster;
  /** Tells people one thing. */
  readonly say: (line: string) => void;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Trouble that was not seen for this long has passed. Containers that crash run for a while in between. */
const FORGET_MS = 30_000;

/** The most that is said about one target, however often its trouble changes: by then people look for themselves. */
const MOST_LINES = 5;

/**
 * Looks at what is waited for, and says why it does not become ready. Each trouble is reported once, after it has
 * lasted. Nothing depends on the watcher: it ignores what it cannot look at.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #targets = new Map<string, Target>();
  /** When a trouble was seen first and last, by target and trouble. */
  readonly #seen = new Map<string, { since: number; last: number }>();
  /** What was reported about each target, by trouble and by line. */
  readonly #reported = new Map<string, Map<string, string>>();

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
    const reported = this.#reported.get(target.name) ?? new Map<string, string>();
    this.#reported.set(target.name, reported);
    if (now - since < symptom.patienceMs || reported.has(key) || reported.size >= MOST_LINES) return;
    const problem = await explain(symptom, this.#options.cluster, now);
    // The target may have become ready in the meantime.
    if (problem === undefined || !this.#targets.has(target.name)) return;
    const line = formatProblem(problem);
    if (![...reported.values()].includes(line)) this.#options.say(line);
    reported.set(key, line);
  }
}
