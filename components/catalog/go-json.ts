import type { Json } from '../../packages/lib/json.ts';

/**
 * JSON as Go's encoder writes a decoded object: keys sorted, no whitespace, and HTML's special characters escaped.
 * Catalogs keep bundles in this form, so that the same bundle is the same text everywhere.
 */
export function goJson(value: Json): string {
  return JSON.stringify(sortKeys(value)).replace(/[<>&\u2028\u2029]/g, unicodeEscape);
}

function sortKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortKeys);
  const entries = Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}

/** `\u003c` for `<`. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
