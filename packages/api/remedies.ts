import { names } from '../lib/message.ts';
import { closestName } from '../lib/similar.ts';
import type { Schema } from './schema.ts';

/** Room for the names of known fields: a person looks the rest up. */
const KNOWN_LIMIT = 130;

/** The fewest letters that say which name they begin. */
const LEAST_BEGINNING = 3;

/** What to do about a field that the schema does not have: the field that was meant, or the one that holds it, or all. */
export function fieldRemedy({ properties = {} }: Schema, key: string): string {
  const known = Object.keys(properties);
  const meant = closestName(key, known) ?? nameThatBeginsSo(key, known);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  const holders = holdersOf(properties, key);
  if (holders.length > 0) return `It is a field of ${names(holders, KNOWN_LIMIT)}.`;
  return `Known fields are ${names(known.toSorted(), KNOWN_LIMIT)}.`;
}

/** What to do about a text that is not one of those that are allowed. */
export function choiceRemedy(value: string, choices: readonly string[]): string {
  const meant = closestName(value, choices) ?? nameThatBeginsSo(value, choices);
  return meant === undefined ? 'Choose one of them.' : `Did you mean ${meant}?`;
}

/** Which numbers there may be. */
export function rangeRemedy({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return `Use ${String(maximum)} or less.`;
  if (maximum === undefined) return `Use ${String(minimum)} or more.`;
  return minimum === maximum
    ? `Use ${String(minimum)}.`
    : `Use a number from ${String(minimum)} to ${String(maximum)}.`;
}

/** How a value of the type is written in YAML. */
export function typeRemedy({ type, properties = {}, required = [] }: Schema, value: unknown): string | undefined {
  switch (type) {
    case 'object': {
      if (Array.isArray(value)) return 'Write a map, with each entry under its name.';
      if (required.length > 0) return `Write { ${required.map((field) => `${field}: …`).join(', ')} }.`;
      const fields = Object.keys(properties);
      if (fields.length === 0) return 'Write a map, such as { name: value }.';
      return `Write a map; its fields are ${names(fields.toSorted(), KNOWN_LIMIT)}.`;
    }
    case 'array':
      return 'Write a list, such as [first, second].';
    case 'string':
      return ['number', 'boolean'].includes(typeof value) ? 'Write it in quotes.' : 'Write one text.';
    case 'integer':
      return isWholeNumber(value) ? 'Write it without quotes.' : 'Write a whole number.';
    case 'boolean':
      return 'Write true or false, without quotes.';
    default:
      return undefined;
  }
}

function isWholeNumber(value: unknown): boolean {
  return typeof value === 'string' && /^-?[0-9]+$/.test(value);
}

/**
 * The only name that begins as the given one does, but for its last letter: `replicas` means replicaCount, and `alias`
 * means aliases.
 */
function nameThatBeginsSo(given: string, known: readonly string[]): string | undefined {
  const beginning = given.toLowerCase().replace(/s$/, '');
  if (beginning.length < LEAST_BEGINNING) return undefined;
  const found = known.filter((name) => name.toLowerCase().startsWith(beginning));
  return found.length === 1 ? found[0] : undefined;
}

/** The fields that have a field of this name, themselves or in their entries. */
function holdersOf(properties: Readonly<Record<string, Schema>>, key: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (hasField(schema, key)) return [name];
    if (schema.items !== undefined && hasField(schema.items, key)) return [`${name}[]`];
    return schema.additionalProperties !== undefined && hasField(schema.additionalProperties, key)
      ? [`${name}.<name>`]
      : [];
  });
}

function hasField({ properties = {} }: Schema, key: string): boolean {
  return Object.hasOwn(properties, key);
}
