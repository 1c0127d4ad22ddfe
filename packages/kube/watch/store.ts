/** What a store keeps: anything, with the version at which it was seen. */
export interface Versioned {
  /** Versions of one resource can be compared as numbers; a later write has a greater one. */
  readonly resourceVersion: number;
}

export interface Change<T> {
  readonly key: string;
  readonly before?: T | undefined;
  readonly after?: T | undefined;
}

export type Indexer<T> = (value: T, key: string) => readonly string[];

/**
 * The last seen state of one resource, by key, with indexes. An older version never replaces a newer one, so that the
 * answer to a write may be put in at once and the watch event that follows it changes nothing.
 */
export class Store<T extends Versioned> {
  readonly #items = new Map<string, T>();
  readonly #indexers: Readonly<Record<string, Indexer<T>>>;
  readonly #indexes = new Map<string, Map<string, Set<string>>>();

  constructor(indexers: Readonly<Record<string, Indexer<T>>> = {}) {
    this.#indexers = indexers;
    for (const name of Object.keys(indexers)) this.#indexes.set(name, new Map());
  }

  get size(): number {
    return this.#items.size;
  }

  get(key: string): T | undefined {
    return this.#items.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#items.keys();
  }

  values(): IterableIterator<T> {
    return this.#items.values();
  }

  keysByIndex(index: string, value: string): string[] {
    return [...(this.#indexes.get(index)?.get(value) ?? [])];
  }

  byIndex(index: string, value: string): T[] {
    return this.keysByIndex(index, value).flatMap((key) => this.#items.get(key) ?? []);
  }

  /** Returns the change, or nothing when the store already knows this version or a later one. */
  set(key: string, value: T): Change<T> | undefined {
    const before = this.#items.get(key);
    if (before !== undefined && before.resourceVersion >= value.resourceVersion) return undefined;
    if (before !== undefined) this.#unindex(key, before);
    this.#items.set(key, value);
    for (const [name, indexer] of Object.entries(this.#indexers)) {
      for (const entry of indexer(value, key)) addTo(this.#indexes.get(name), entry, key);
    }
    return { key, before, after: value };
  }

  delete(key: string, resourceVersion: number): Change<T> | undefined {
    const before = this.#items.get(key);
    if (before === undefined || before.resourceVersion > resourceVersion) return undefined;
    this.#unindex(key, before);
    this.#items.delete(key);
    return { key, before };
  }

  /** Takes over a whole list as it was at `listVersion`, and returns what is different now. */
  replace(items: ReadonlyMap<string, T>, listVersion: number): Change<T>[] {
    const gone = [...this.#items.keys()].filter((key) => !items.has(key));
    return [
      ...gone.flatMap((key) => this.delete(key, listVersion) ?? []),
      ...[...items].flatMap(([key, value]) => this.set(key, value) ?? []),
    ];
  }

  #unindex(key: string, value: T): void {
    for (const [name, indexer] of Object.entries(this.#indexers)) {
      for (const entry of indexer(value, key)) removeFrom(this.#indexes.get(name), entry, key);
    }
  }
}

function addTo(index: Map<string, Set<string>> | undefined, entry: string, key: string): void {
  const keys = index?.get(entry);
  if (keys === undefined) index?.set(entry, new Set([key]));
  else keys.add(key);
}

function removeFrom(index: Map<string, Set<string>> | undefined, entry: string, key: string): void {
  const keys = index?.get(entry);
  keys?.delete(key);
  if (keys?.size === 0) index?.delete(entry);
}
