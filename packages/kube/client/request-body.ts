/**
 * The text of a request's body: JSON that is also YAML of the same data, because the API server reads a server-side
 * apply as YAML. There, some characters that JSON leaves as they are would be folded or refused, and an empty key needs
 * a space after its colon.
 */
export function requestBody(body: unknown): string {
  return JSON.stringify(body)
    .replace(UNSAFE_IN_YAML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(EMPTY_KEY, '$1"": ');
}

/** DEL and the C1 controls, the line and paragraph separators, the byte order mark, and what is not a character. */
const UNSAFE_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A key follows a brace or a comma; inside a string a quote would be escaped. */
const EMPTY_KEY = /([{,])"":/g;
