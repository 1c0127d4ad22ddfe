import { BitSet } from './bit-set.ts';

/** Items by the values of one label. Do not change the sets. */
export interface Labelled {
  /** Those that have the label, whatever its value. */
  readonly any: BitSet;
  readonly byValue: ReadonlyMap<string, BitSet>;
  /** Values that are numbers, from the least, each with the items that have it or a lesser one. */
  readonly ascending: readonly { readonly number: number; readonly upTo: BitSet }[];
}

/** Items of a list, found by their labels: a requirement costs one lookup in a map instead of a look at each item. */
export class LabelIndex<T extends { readonly labels: Readonly<Record<string, string>> }> {
  readonly items: readonly T[];
  /** Do not change this set or the others. */
  readonly all: BitSet;
  readonly nothing: BitSet;
  readonly nowhere: Labelled;
  readonly #labels = new Map<string, Labelled>();
  /** Labels that some item has: others that users ask for need no lookup. */
  readonly #keys = new Set<string>();

  constructor(items: readonly T[]) {
    this.items = items;
    this.all = BitSet.all(items.length);
    this.nothing = this.none();
    this.nowhere = { any: this.nothing, byValue: new Map(), ascending: [] };
    for (const { labels } of items) for (const key in labels) this.#keys.add(key);
  }

  /** A set to be filled. */
  none(): BitSet {
    return BitSet.none(this.items.length);
  }

  labelled(key: string): Labelled {
    if (!this.#keys.has(key)) return this.nowhere;
    const labelled = this.#labels.get(key) ?? this.group(({ labels }) => labels[key]);
    this.#labels.set(key, labelled);
    return labelled;
  }

  protected group(valueOf: (item: T) => string | undefined): Labelled {
    const any = this.none();
    const byValue = new Map<string, BitSet>();
    for (const [position, item] of this.items.entries()) {
      const value = valueOf(item);
      if (value === undefined) continue;
      any.add(position);
      this.addTo(byValue, value, position);
    }
    return { any, byValue, ascending: this.#accumulate(byValue) };
  }

  protected addTo(sets: Map<string, BitSet>, key: string, position: number): void {
    const set = sets.get(key) ?? this.none();
    set.add(position);
    sets.set(key, set);
  }

  #accumulate(byValue: ReadonlyMap<string, BitSet>): Labelled['ascending'] {
    const numbers = [...byValue].filter(([value]) => /^-?\d+$/.test(value));
    const sorted = numbers.sort(([one], [other]) => Number(one) - Number(other));
    let before = this.nothing;
    return sorted.map(([value, items]) => {
      before = before.copy().addAll(items);
      return { number: Number(value), upTo: before };
    });
  }
}
