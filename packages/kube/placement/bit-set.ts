const BITS = 32;

/** Items of a list by their positions, one bit each: sets of thousands are compared by a few machine words. */
export class BitSet {
  readonly #words: Uint32Array;

  private constructor(words: Uint32Array) {
    this.#words = words;
  }

  static none(items: number): BitSet {
    return new BitSet(new Uint32Array(Math.ceil(items / BITS)));
  }

  static all(items: number): BitSet {
    const set = BitSet.none(items);
    for (let position = 0; position < items; position += 1) set.add(position);
    return set;
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  get size(): number {
    let size = 0;
    for (const word of this.#words) for (let left = word; left !== 0; left &= left - 1) size += 1;
    return size;
  }

  copy(): BitSet {
    return new BitSet(this.#words.slice());
  }

  has(position: number): boolean {
    return ((this.#words[position >>> 5] ?? 0) & (1 << (position & (BITS - 1)))) !== 0;
  }

  add(position: number): void {
    const index = position >>> 5;
    this.#words[index] = (this.#words[index] ?? 0) | (1 << (position & (BITS - 1)));
  }

  /** Adds what the other set has. */
  addAll(other: BitSet): this {
    const { length } = this.#words;
    for (let index = 0; index < length; index += 1) {
      this.#words[index] = (this.#words[index] ?? 0) | (other.#words[index] ?? 0);
    }
    return this;
  }

  /** Keeps what the other set has as well. */
  keepOnly(other: BitSet): this {
    const { length } = this.#words;
    for (let index = 0; index < length; index += 1) {
      this.#words[index] = (this.#words[index] ?? 0) & (other.#words[index] ?? 0);
    }
    return this;
  }

  /** Removes what the other set has. */
  removeAll(other: BitSet): this {
    const { length } = this.#words;
    for (let index = 0; index < length; index += 1) {
      this.#words[index] = (this.#words[index] ?? 0) & ~(other.#words[index] ?? 0);
    }
    return this;
  }

  /** From the first to the last. */
  *positions(): Generator<number, void> {
    for (const [index, bits] of this.#words.entries()) {
      for (let left = bits; left !== 0; left &= left - 1) {
        yield index * BITS + (BITS - 1 - Math.clz32(left & -left));
      }
    }
  }
}
