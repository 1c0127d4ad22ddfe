import yaml from 'js-yaml';
import { OBJECT_SCHEMA } from '../../../packages/api/schema.gen.ts';
import type { Schema } from '../../../packages/api/schema.ts';
import type { OpenObject } from '../../../packages/lib/json.ts';

/**
 * A configuration as programs find it that read what a chart prints without quotes: "8" is a number to them, and "true" a switch.
 * Settings that are texts by themselves stay texts. `path` leads to the configuration in a spec.
 */
export function asPrinted(config: OpenObject, ...path: readonly string[]): OpenObject {
  const schema = path.reduce<Schema | undefined>(
    (each, field) => each?.properties?.[field],
    OBJECT_SCHEMA.properties?.['spec'],
  );
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const isText = schema?.properties?.[key]?.type === 'string';
      return [key, typeof value !== 'string' || isText ? value : plain(value)];
    }),
  );
}

function plain(text: string): unknown {
  try {
    const read = yaml.load(text);
    return typeof read === 'number' || typeof read === 'boolean' ? read : text;
  } catch (error) {
    // Not a plain value, so that it is only text.
    if (error instanceof yaml.YAMLException) return text;
    throw error;
  }
}
