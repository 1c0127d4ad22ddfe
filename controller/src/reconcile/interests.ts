/** The resources whose changes are a reason to look at a stack again. */
export interface Interest {
  /** It waits for these: the sooner it knows, the better. */
  readonly waitsFor: readonly string[];
  /** It does not wait for these, but they decide how its pods would be replaced. */
  readonly follows: readonly string[];
}

/** What has happened since the work on a key began. */
interface Since {
  /** What has changed, which may be what it turns out to wait for. */
  any: boolean;
  readonly resources: Set<string>;
  /** What another key had taken during its own work only. */
  readonly passing: Set<string>;
  /** Keys whose work has ended: they may have counted what this one has taken and will give back. */
  readonly ended: Set<string>;
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
  readonly #since = new Map<string, Since>();
  readonly #delays: Readonly<Record<keyof Interest, number>>;

  constructor(delays: { readonly wakeMs: number; readonly tellMs: number }) {
    this.#delays = { waitsFor: delays.wakeMs, follows: delays.tellMs };
  }

  /** The work on a key begins: until it ends, nobody knows what the stack will wait for. */
  begin(key: string): void {
    this.#since.set(key, { any: false, resources: new Set(), passing: new Set(), ended: new Set() });
  }

  end(key: string): void {
    this.#since.delete(key);
  }

  /**
   * Returns after how many milliseconds to look again, if what was counted may have changed since the work began. A stack that tries again
   * anyway is not told of what others had taken for a moment: those are mostly stacks like itself, and they would keep each other busy.
   */
  set(key: string, interest: Interest, triesAgain = false): number | undefined {
    this.#replace(key, interest);
    if (!triesAgain) for (const { ended } of this.#since.values()) ended.add(key);
    const since = this.#since.get(key);
    if (since === undefined) return undefined;
    const { any, resources, passing } = since;
    const isMissed = (resource: string): boolean => {
      return any || resources.has(resource) || (!triesAgain && passing.has(resource));
    };
    const missed = KINDS.find((kind) => interest[kind].some(isMissed));
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
   * counted it already. `meanwhile` are those that may have counted since the work on that stack began: for others nothing has changed.
   */
  wake(
    resources: readonly string[] | 'any',
    tell: (key: string, afterMs: number) => void,
    by?: string,
    whom: 'all' | 'meanwhile' = 'all',
  ): void {
    for (const [key, since] of this.#since) {
      if (key === by) continue;
      if (resources === 'any') since.any = true;
      else for (const resource of resources) (whom === 'all' ? since.resources : since.passing).add(resource);
    }
    const concerned = whom === 'all' ? undefined : (this.#since.get(by ?? '')?.ended ?? new Set<string>());
    for (const kind of KINDS) {
      const chosen = resources === 'any' ? this.#byResource[kind].keys() : resources;
      const keys = new Set([...chosen].flatMap((resource) => [...(this.#byResource[kind].get(resource) ?? [])]));
      let delay = this.#delays[kind];
      for (const key of keys) {
        if (key === by || concerned?.has(key) === false) continue;
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
