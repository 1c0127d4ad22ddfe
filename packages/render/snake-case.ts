/**
 * Words of a camelCase key. Digits before a lower-case letter begin a word (`http2xx`: http, 2xx), other digits end one
 * (`fp16Mode`: fp16, mode), and the last capital of a row belongs to the lower-case letters after it (`HTTPServer`).
 */
const WORD = /\d+[a-z][a-z\d]*|(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)(?:\d+(?![a-z\d]))?|\d+/g;
const CONNECTOR = /[-_\s]/g;

/** What nearly all keys look like: every capital begins a word. */
const PLAIN_CAMEL_CASE = /^[a-z]+(?:[A-Z][a-z]+)*$/;
const CAPITAL = /[A-Z]/g;

/** What was worked out last. A template's keys come back with every application, and most stacks have the same. */
const known = new Map<string, string>();
const KNOWN_LIMIT = 1000;
/** Nobody uses longer keys, so they are not worth the memory. */
const KNOWN_LENGTH = 64;

/** The name that the runtime's configuration file has for a key: `maxBatchSize` is `max_batch_size`. */
export function snakeCase(key: string): string {
  if (key.length > KNOWN_LENGTH) return converted(key);
  let name = known.get(key);
  if (name === undefined) {
    name = converted(key);
    if (known.size >= KNOWN_LIMIT) known.clear();
    known.set(key, name);
  }
  return name;
}

function converted(key: string): string {
  if (PLAIN_CAMEL_CASE.test(key)) return key.replace(CAPITAL, (capital) => `_${capital.toLowerCase()}`);
  let result = '';
  let end = 0;
  for (const match of key.matchAll(WORD)) {
    const gap = key.slice(end, match.index);
    result += (gap === '' && end > 0 ? '_' : gap.replace(CONNECTOR, '_')) + match[0].toLowerCase();
    end = match.index + match[0].length;
  }
  return result + key.slice(end).replace(CONNECTOR, '_');
}
