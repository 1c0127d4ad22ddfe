/** The longest line of a status: about what fits into two lines of a terminal, and what people still read. */
export const LINE_LIMIT = 200;

/** The longest line about a part of something, so that the part's name fits before it. */
export const PART_LIMIT = 185;

/** The share of a cut line that is its beginning; the rest is its end. */
const HEAD = 0.6;

const CUT = ' … ';

/**
 * A text as one line of at most the limit. The middle is left out: messages begin with what was tried and end with why it
 * failed.
 */
export function shortened(text: string, limit = LINE_LIMIT): string {
  const line = text.trim().replace(/\s+/g, ' ');
  if (line.length <= limit) return line;
  const room = limit - CUT.length;
  const head = Math.ceil(room * HEAD);
  return `${whole(line.slice(0, head).trimEnd())}${CUT}${whole(line.slice(line.length - (room - head)).trimStart())}`;
}

/** Sentences as one line; those that do not fit are counted. Only those that may fit are written at all. */
export function sentences<T = string>(
  items: readonly T[],
  limit = LINE_LIMIT,
  text: (item: T) => string = String,
): string {
  const [only, ...others] = items.slice(0, 2);
  if (others.length === 0) return only === undefined ? '' : shortened(text(only), limit);
  // What follows a full stop would look like the beginning of something else.
  const part = (item: T): string => shortened(text(item), Infinity).replace(/\.$/, '');
  return joined(items, part, { separator: '; ', and: '; and', limit });
}

/** Names as one line; those that do not fit are counted, and not written. */
export function names<T = string>(
  items: readonly T[],
  limit = LINE_LIMIT / 2,
  text: (item: T) => string = String,
): string {
  return joined(items, text, { separator: ', ', and: ' and', limit });
}

interface Joint {
  readonly separator: string;
  readonly and: string;
  readonly limit: number;
}

/** Looks at no more items than a line has room for: anybody can write thousands. */
function joined<T>(items: readonly T[], text: (item: T) => string, { separator, and, limit }: Joint): string {
  const parts: string[] = [];
  for (let length = 0; parts.length < items.length && length <= limit;) {
    const part = text(items[parts.length] as T);
    length += (parts.length === 0 ? 0 : separator.length) + part.length;
    parts.push(part);
  }
  const all = parts.join(separator);
  if (parts.length === items.length && all.length <= limit) return all;
  let rest = all;
  for (let count = parts.length - 1; count > 0; count -= 1) {
    rest = rest.slice(0, rest.length - separator.length - (parts[count]?.length ?? 0));
    const line = `${rest}${and} ${items.length - count} more`;
    if (line.length <= limit) return line;
  }
  const more = items.length > 1 ? `${and} ${items.length - 1} more` : '';
  return `${shortened(parts[0] ?? '', limit - more.length)}${more}`;
}

/** Drops half of a character that takes two units of UTF-16. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
