/** How the workers are shared. */
export interface Sharing {
  /** Whose key it is. */
  readonly tenantOf: (key: string) => string;
  /** How many keys of one tenant may be worked on at a time. */
  readonly most: number;
  /** Whether a key means writing a lot: the API server has to serve others as well. */
  readonly isHeavy?: (key: string) => boolean;
  /** How many such keys may be worked on at a time, whoever's they are. */
  readonly mostHeavy?: number;
}

interface Lane {
  readonly tenant: string;
  readonly heavy: boolean;
  readonly keys: Set<string>;
}

const NOT_SHARED: Sharing = { tenantOf: () => '', most: Infinity };

/**
 * Keys that wait, in lanes: each tenant has one, and another for its heavy keys, so that these do not hold up the rest. Lanes take
 * turns, so that a thousand keys of one tenant do not come before the only key of another.
 */
export class Lanes {
  readonly #sharing: Sharing;
  /** The lane whose turn it is comes first. */
  readonly #lanes = new Map<string, Lane>();
  readonly #laneOf = new Map<string, Lane>();
  /** How many keys of a tenant are being worked on. */
  readonly #busy = new Map<string, number>();
  #heavy = 0;

  constructor(sharing: Sharing = NOT_SHARED) {
    this.#sharing = sharing;
  }

  add(key: string): void {
    const { tenantOf, isHeavy } = this.#sharing;
    const tenant = tenantOf(key);
    const heavy = isHeavy?.(key) ?? false;
    const name = nameOf(tenant, heavy);
    const lane = this.#lanes.get(name) ?? { tenant, heavy, keys: new Set() };
    this.#lanes.set(name, lane);
    this.#laneOf.set(key, lane);
    lane.keys.add(key);
  }

  /** The key whose turn it is: the first of the first lane whose tenant has not used up its share of the workers. */
  next(): string | undefined {
    for (const { tenant, heavy, keys } of this.#lanes.values()) {
      if ((this.#busy.get(tenant) ?? 0) >= this.#sharing.most) continue;
      if (heavy && this.#heavy >= (this.#sharing.mostHeavy ?? Infinity)) continue;
      const [key] = keys;
      if (key !== undefined) return key;
    }
    return undefined;
  }

  /** The key is worked on now. Its lane has had its turn, and goes to the end. */
  start(key: string): void {
    const lane = this.#laneOf.get(key);
    if (lane === undefined) return;
    const { tenant, heavy, keys } = lane;
    const name = nameOf(tenant, heavy);
    keys.delete(key);
    this.#lanes.delete(name);
    if (keys.size > 0) this.#lanes.set(name, lane);
    this.#count(lane, 1);
  }

  /** The key is no longer worked on. */
  done(key: string): void {
    const lane = this.#laneOf.get(key);
    if (lane === undefined) return;
    this.#laneOf.delete(key);
    this.#count(lane, -1);
  }

  clear(): void {
    this.#lanes.clear();
  }

  #count({ tenant, heavy }: Lane, change: number): void {
    const busy = (this.#busy.get(tenant) ?? 0) + change;
    if (busy === 0) this.#busy.delete(tenant);
    else this.#busy.set(tenant, busy);
    if (heavy) this.#heavy += change;
  }
}

function nameOf(tenant: string, heavy: boolean): string {
  return `${heavy ? 'heavy' : 'light'}/${tenant}`;
}
