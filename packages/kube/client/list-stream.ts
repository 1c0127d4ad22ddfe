import type { IncomingMessage } from 'node:http';
import { parseObject } from './bounded-json.ts';
import { turns } from '../../lib/turns.ts';
import { BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END, QUOTE } from './json-bytes.ts';

/**
 * Reads a list item by item while it arrives, and returns the list without items. A page of large objects would otherwise be in
 * memory three times over, and nobody else would have a turn while it is parsed.
 */
export async function readList(response: IncomingMessage, onItem: (item: unknown) => void): Promise<unknown> {
  const splitter = new ListSplitter((item) => onItem(parseObject(item)));
  const turn = turns.begin();
  for await (const chunk of response as AsyncIterable<Buffer>) {
    splitter.push(chunk);
    await turn.yieldIfDue();
  }
  return JSON.parse(splitter.end().toString('utf8'));
}

/** How deep the list of items lies in the document, and how deep an item. */
const ITEMS_DEPTH = 2;
const ITEM_DEPTH = 3;

/** Cuts the items out of a JSON document without parsing it. */
export class ListSplitter {
  readonly #onItem: (item: Buffer) => void;
  /** What comes before the items. */
  #head: Buffer | undefined;
  /** The pieces of what is being read: an item, or what lies between two. */
  #pieces: Buffer[] = [];
  /** The field of the list that is being read. */
  #field = '';
  #depth = 0;
  #inItems = false;
  #inText = false;
  #escaped = false;

  constructor(onItem: (item: Buffer) => void) {
    this.#onItem = onItem;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#inText) this.#readText(byte);
      else if (byte === QUOTE) this.#beginText();
      else if (byte === BRACE || byte === BRACKET) {
        this.#depth += 1;
        if (this.#inItems && this.#depth === ITEM_DEPTH) {
          const between = this.#take(chunk.subarray(start, at));
          // Later on there are only commas between them.
          this.#head ??= between;
          start = at;
        } else if (this.#depth === ITEMS_DEPTH) this.#inItems = this.#field === 'items' && byte === BRACKET;
      } else if (byte === BRACE_END || byte === BRACKET_END) {
        this.#depth -= 1;
        if (this.#inItems && this.#depth === ITEMS_DEPTH) {
          this.#onItem(this.#take(chunk.subarray(start, at + 1)));
          start = at + 1;
        } else if (this.#depth < ITEMS_DEPTH) this.#inItems = false;
      }
    }
    this.#pieces.push(chunk.subarray(start));
  }

  /** The document without its items. */
  end(): Buffer {
    return Buffer.concat([this.#head ?? Buffer.alloc(0), this.#take(Buffer.alloc(0))]);
  }

  #take(last: Buffer): Buffer {
    const whole = Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    return whole;
  }

  #beginText(): void {
    this.#inText = true;
    if (this.#depth === 1) this.#field = '';
  }

  #readText(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inText = false;
    else if (this.#depth === 1) this.#field += String.fromCharCode(byte);
  }
}
