import { isObject } from '../lib/json.ts';

/**
 * Writes data as YAML that every YAML reader reads back as the same data: whatever a user writes into a value stays
 * inside that value. Keys are sorted, so the same data always gives the same text.
 */
export function configYaml(data: unknown): string {
  return `${block(data, '').trimStart()}\n`;
}

function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []';
    return value.map((item) => `\n${indent}-${block(item, `${indent}  `)}`).join('');
  }
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    if (keys.length === 0) return ' {}';
    return keys.map((key) => `\n${indent}${scalar(key)}:${block(value[key], `${indent}  `)}`).join('');
  }
  return ` ${scalar(value)}`;
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) && !RESERVED.test(value) ? value : quoted(value);
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return String(value);
  return 'null';
}

/** Starts with a letter and has no character that means something to YAML: can be nothing but a string. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*$/;

/** Words that some version of YAML reads as something else. */
const RESERVED = /^(?:true|false|yes|no|on|off|y|n|null)$/i;

/** JSON's escapes are YAML's too, but YAML also folds line separators and forbids control characters. */
function quoted(text: string): string {
  const json = JSON.stringify(text.toWellFormed());
  // Most texts need no look at what Unicode says of each character, which takes ten times as long.
  return OTHER_THAN_ASCII.test(json) ? json.replace(UNPRINTABLE, escape) : json;
}

const OTHER_THAN_ASCII = /[^ -~]/;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

function escape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Never `2.097152e+06` for a whole number, and with the dot that YAML 1.1 wants in all others. */
function number(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}
