import yaml from 'js-yaml';
import type { Json } from '../../packages/lib/json.ts';

/*
 * Go programs read bundles by YAML 1.1, in which `yes` is true and `0755` is octal; dates stay text. Read in any other
 * way, the catalog would hold different objects than OLM sees in the bundle.
 */
const YES = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const NO = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const INTEGER = /^[-+]?(?:0b[01_]+|0x[\da-fA-F_]+|0o?[0-7_]+|[1-9][\d_]*|0)$/;

// In an extended schema, a type replaces the one with the same tag.
const SCHEMA = yaml.CORE_SCHEMA.extend({
  implicit: [
    new yaml.Type('tag:yaml.org,2002:bool', {
      kind: 'scalar',
      resolve: (text: unknown) => typeof text === 'string' && (YES.test(text) || NO.test(text)),
      construct: (text: string) => YES.test(text),
    }),
    new yaml.Type('tag:yaml.org,2002:int', {
      kind: 'scalar',
      resolve: (text: unknown) => typeof text === 'string' && INTEGER.test(text),
      construct: readInteger,
    }),
    new yaml.Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: unknown) => text === '<<' }),
  ],
});

/** The first document of a YAML or JSON text, as OLM's Go programs read it. */
export function readFirstDocument(text: string, file: string): Json {
  const [first] = yaml.loadAll(text, undefined, { filename: file, schema: SCHEMA }) as (Json | undefined)[];
  return first ?? null;
}

function readInteger(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  return sign * Number(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
}
