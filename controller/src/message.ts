/** The longest line of a status: about what fits into two lines of a terminal, and what people still read. */
export const LINE_LIMIT = 200;

/** The longest line about a part of a stack, whose name comes before it. */
export const PART_LIMIT = 185;

/** Of a line that is cut, this share of what stays is its beginning. */
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

/** Sentences as one line; those that do not fit are counted. */
export function sentences(items: readonly string[], limit = LINE_LIMIT): string {
  const [only = '', ...others] = items;
  if (others.length === 0) return shortened(only, limit);
  // What follows a full stop would look like the beginning of something else.
  return joined(
    items.map((item) => shortened(item, Infinity).replace(/\.$/, '')),
    '; ',
    '; and',
    limit,
  );
}

/** Names as one line; those that do not fit are counted. */
export function names(items: readonly string[], limit = LINE_LIMIT / 2): string {
  return joined(items, ', ', ' and', limit);
}

function joined(items: readonly string[], separator: string, and: string, limit: number): string {
  const all = items.join(separator);
  if (all.length <= limit) return all;
  for (let count = items.length - 1; count > 0; count -= 1) {
    const line = `${items.slice(0, count).join(separator)}${and} ${items.length - count} more`;
    if (line.length <= limit) return line;
  }
  const more = items.length > 1 ? `${and} ${items.length - 1} more` : '';
  return `${shortened(items[0] ?? '', limit - more.length)}${more}`;
}

/** Half of a character that takes two units of UTF-16 is none. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
