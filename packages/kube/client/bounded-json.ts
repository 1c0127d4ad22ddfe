import type { KubernetesObject } from '../object.ts';
import { BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END, COLON, COMMA, QUOTE } from './json-bytes.ts';

/**
 * Reads objects of the API server without ever being held up by one of them. Parsing cannot be interrupted, and takes a third of a
 * second for some documents that the API server accepts. So a large document is first scanned for where its fields begin and end,
 * which is fast, and fields that are too large are left out.
 */

/** How large a field of an object may be. Kubernetes' own kinds stay far below. */
export const JSON_BOUNDS = {
  bytes: 512 * 1024,
  /** Maps, lists, texts and numbers: their count costs time, not their length. */
  values: 20_000,
  depth: 32,
} as const;

/** No document that is shorter than this can hold anybody up. */
const SMALL_BYTES = 64 * 1024;

/** Whether reading it takes long enough to be done in a turn of its own. */
export function isLarge(document: Buffer): boolean {
  return document.length > SMALL_BYTES;
}

/** How large a value is. */
export interface Extent {
  readonly bytes: number;
  readonly values: number;
  readonly depth: number;
}

/** A field that was left out. */
export interface Omission extends Extent {
  /** Inside the object: `spec`, or `metadata.managedFields`. */
  readonly path: string;
}

const omissions = new WeakMap<object, readonly Omission[]>();

/** What was left out of an object when it was read. */
export function omittedFrom(object: object): readonly Omission[] {
  return omissions.get(object) ?? [];
}

/** An object of the API server, without the fields that are too large. */
export function parseObject(document: Buffer, isKnown: IsKnown = () => false): unknown {
  if (!isLarge(document)) return JSON.parse(document.toString('utf8'));
  const left: Omission[] = [];
  const object = parseFields(document, '', left, isKnown);
  omissions.set(object, left);
  return object;
}

/** Asked about the metadata of a large object: what is known already is read no further. */
export type IsKnown = (metadata: KubernetesObject['metadata']) => boolean;

/** An event of a watch, whose `object` is such an object. */
export function parseEvent(line: Buffer, isKnown: IsKnown = () => false): unknown {
  if (!isLarge(line)) return JSON.parse(line.toString('utf8'));
  const event: Record<string, unknown> = {};
  for (const { name, value } of fieldsOf(line)) {
    setField(event, name, name === 'object' ? parseObject(value, isKnown) : JSON.parse(value.toString('utf8')));
  }
  return event;
}

/** Metadata is always needed, so only its large fields are left out, not all of it. */
const LOOKED_INTO = 'metadata';

function parseFields(
  document: Buffer,
  parent: string,
  left: Omission[],
  isKnown: IsKnown = () => false,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { name, value, extent } of fieldsOf(document)) {
    const path = parent === '' ? name : `${parent}.${name}`;
    if (!isTooMuch(extent)) setField(object, name, JSON.parse(value.toString('utf8')));
    else if (path === LOOKED_INTO) object[name] = parseFields(value, path, left);
    else left.push({ path, ...extent });
    if (path === LOOKED_INTO && isKnown(object[name] as KubernetesObject['metadata'])) break;
  }
  return object;
}

/** As JSON.parse does it: a field called `__proto__` is one like any other. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

export function isTooMuch({ bytes, values, depth }: Extent): boolean {
  return bytes > JSON_BOUNDS.bytes || values > JSON_BOUNDS.values || depth > JSON_BOUNDS.depth;
}

interface Field {
  readonly name: string;
  readonly value: Buffer;
  readonly extent: Extent;
}

/** The fields of a JSON object, not parsed. */
function* fieldsOf(document: Buffer): Generator<Field> {
  let at = document.indexOf(BRACE) + 1;
  for (;;) {
    const quote = document.indexOf(QUOTE, at);
    if (quote < 0) return;
    const nameEnd = endOfText(document, quote);
    const start = document.indexOf(COLON, nameEnd) + 1;
    // Else it would be read from its beginning again, without end.
    if (start === 0) throw new SyntaxError('a field has no value');
    const { end, ...extent } = extentOf(document, start);
    const name = JSON.parse(document.toString('utf8', quote, nameEnd)) as string;
    yield { name, value: document.subarray(start, end), extent };
    at = end;
  }
}

/** How large the value is that begins here, and where it ends: at the comma or bracket that is not its own. */
export function extentOf(document: Buffer, start: number): Extent & { readonly end: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let at = start;
  for (; at < document.length; at += 1) {
    const byte = document[at];
    if (byte === QUOTE) at = endOfText(document, at) - 1;
    else if (byte === BRACE || byte === BRACKET) {
      depth += 1;
      values += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      if (depth === 0) break;
      depth -= 1;
    } else if (byte === COMMA) {
      if (depth === 0) break;
      values += 1;
    }
  }
  return { end: at, bytes: at - start, values, depth: deepest };
}

/** Where a text ends whose first quotation mark is here. */
function endOfText(document: Buffer, quote: number): number {
  let end = document.indexOf(QUOTE, quote + 1);
  while (end >= 0 && isEscaped(document, end)) end = document.indexOf(QUOTE, end + 1);
  if (end < 0) throw new SyntaxError('a text is not terminated');
  return end + 1;
}

function isEscaped(document: Buffer, at: number): boolean {
  let backslashes = 0;
  while (document[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
