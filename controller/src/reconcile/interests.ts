/** The resources whose changes are a reason to look at a stack again. */
export interface Interest {
  /** It waits for these: the sooner it knows, the better. */
  readonly waitsFor: readonly string[];
  /** It does not wait for these, but they decide how its pods would be replaced. */
  readonly follows: readonly string[];
}

/** The delay between two stacks that are woken by the same change: with thousands of them, others must get their turn. */
const STEP_MS = { waitsFor: 10, follows: 20 };

/**
 * Which stacks to wake when nodes or pods with devices change. In a busy cluster that happens all the time, so a stack that was just woken is
 * not woken again: one look covers everything that happens in between.
 */
export class Interests {
  readonly #byResource = { waitsFor: new Map<string, Set<string>>(), follows: new Map<string, Set<string>>() };
  readonly #known = new Map<string, Interest>();
  /** What has changed since the work on a key began, which may be what it turns out to wait for. */
  readonly #changed = new Map<string, { any: boolean; readonly resources: Set<string> }>();
  readonly #delays: Readonly<Record<keyof Interest, number>>;

  constructor(delays: { readonly wakeMs: number; readonly tellMs: number }) {
    this.#delays = { waitsFor: delays.wakeMs, follows: delays.tellMs };
  }

  /** The work on a key begins: until it ends, nobody knows what the stack will wait for. */
  begin(key: string): void {
    this.#changed.set(key, { any: false, resources: new Set() });
  }

  end(key: string): void {
    this.#changed.delete(key);
  }

  /** Returns after how many milliseconds to look again, if what was counted may have changed since the work began. */
  set(key: string, interest: Interest): number | undefined {
    this.#replace(key, interest);
    const { any = false, resources } = this.#changed.get(key) ?? {};
    const missed = KINDS.find((kind) => interest[kind].some((resource) => any || resources?.has(resource) === true));
    return missed && this.#delays[missed];
  }

  delete(key: string): void {
    const interest = this.#known.get(key);
    this.#known.delete(key);
    for (const kind of KINDS) {
      for (const resource of interest?.[kind] ?? []) {
        const keys = this.#byResource[kind].get(resource);
        keys?.delete(key);
        if (keys?.size === 0) this.#byResource[kind].delete(resource);
      }
    }
  }

  /**
   * Wakes the stacks that are interested in these resources, or in any, each after its delay. A stack that made the change itself has
   * counted it already.
   */
  wake(resources: readonly string[] | 'any', tell: (key: string, afterMs: number) => void, by?: string): void {
    for (const [key, changed] of this.#changed) {
      if (key === by) continue;
      if (resources === 'any') changed.any = true;
      else for (const resource of resources) changed.resources.add(resource);
    }
    for (const kind of KINDS) {
      const chosen = resources === 'any' ? this.#byResource[kind].keys() : resources;
      const keys = new Set([...chosen].flatMap((resource) => [...(this.#byResource[kind].get(resource) ?? [])]));
      let delay = this.#delays[kind];
      for (const key of keys) {
        if (key === by) continue;
        tell(key, delay);
        delay += STEP_MS[kind];
      }
    }
  }

  #replace(key: string, interest: Interest): void {
    this.delete(key);
    if (interest.waitsFor.length + interest.follows.length === 0) return;
    this.#known.set(key, interest);
    for (const kind of KINDS) {
      for (const resource of interest[kind]) {
        const keys = this.#byResource[kind].get(resource) ?? new Set();
        this.#byResource[kind].set(resource, keys.add(key));
      }
    }
  }
}

const KINDS = ['waitsFor', 'follows'] as const;
