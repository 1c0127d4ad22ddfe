import type { Schema } from '../schema.ts';
import { definedOnly } from '../../lib/values.ts';

/** Upper bounds of what a spec may have, where its type says nothing else. */
const TEXT = 1024;
const LIST = 100;
const MAP = 100;
/** Maps whose values are texts: annotations may carry a file. */
const MAP_TEXT = 16_384;
/** Settings of the runtime, the unknown ones included. */
const SETTINGS = 250;

/** The schema with an upper bound for everything that has a size. What the API server refuses costs the operator nothing. */
export function bounded(schema: Schema, text = TEXT): Schema {
  const { properties, additionalProperties, items } = schema;
  return definedOnly({
    ...ownBounds(schema, text),
    ...schema,
    properties: properties && mapValues(properties, (field) => bounded(field)),
    additionalProperties: additionalProperties && bounded(additionalProperties, MAP_TEXT),
    items: items && bounded(items),
  });
}

function ownBounds(schema: Schema, text: number): Schema {
  if (schema['x-kubernetes-int-or-string'] === true) return { maxLength: text };
  switch (schema.type) {
    case 'string':
      // The longest of the words that are allowed bounds it already.
      return schema.enum === undefined ? { maxLength: text } : {};
    case 'array':
      return { maxItems: LIST };
    case 'object':
      return mapBounds(schema);
    case 'integer':
      return schema.format === 'int64' ? { maximum: Number.MAX_SAFE_INTEGER } : {};
    default:
      return {};
  }
}

/** Where all fields are known their number needs no bound. */
function mapBounds(schema: Schema): Schema {
  if (schema.additionalProperties !== undefined) return { maxProperties: MAP };
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true) return {};
  return { maxProperties: schema.properties === undefined ? MAP : SETTINGS };
}

function mapValues<T>(map: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
