import fc from 'fast-check';
import { OPEN_ENGINES } from '../../../packages/api/engine.ts';
import { OBJECT_SCHEMA } from '../../../packages/api/schema.gen.ts';
import type { Schema } from '../../../packages/api/schema.ts';
import type { InferenceStack, InferenceStackSpec } from '../../../packages/api/types.ts';
import { validate } from '../../../packages/api/validate.ts';
import { stackWith } from '../people/stacks.ts';

/** Few fields at a time, so that a counterexample can be read. */
const MAX_FIELDS = 5;

/** Any text, and in particular text that breaks out of badly quoted files. */
const HOSTILE = [
  'a: b',
  '\n- x',
  'x\n  readers_config:\n    evil: {}',
  '"',
  "'",
  '{}',
  '# comment',
  '&anchor',
  '*alias',
  '!!js/function',
  '%TAG',
  '---',
  '...',
  '\u2028',
  '\u0085',
  '\u0000',
  '\ufeff',
  'null',
  'yes',
  '0x10',
  '1e3',
  '.inf',
  '2026-01-01',
  '__proto__',
  '$(NAME)',
  '{{ .Values }}',
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 12 }));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
}));

/** Fields whose rules random values would hardly ever satisfy. */
const SPECIAL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  modelsVolume: fc.constantFrom(
    { emptyDir: {} },
    { name: 'm', hostPath: { path: '/m' } },
    { persistentVolumeClaim: { claimName: 'm' } },
  ),
  scaleTargetRef: fc.constant(null),
  applicationNames: fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/),
};

const known = new WeakMap<Schema, fc.Arbitrary<unknown>>();

/** Any value that a schema admits. */
export function admittedBy(schema: Schema): fc.Arbitrary<unknown> {
  const arbitrary = known.get(schema) ?? build(schema);
  known.set(schema, arbitrary);
  return arbitrary;
}

function build(schema: Schema): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-int-or-string'] === true) return fc.oneof(integer(schema), string(schema));
  if (schema.type === undefined) return fc.oneof(text, fc.boolean(), fc.integer());
  switch (schema.type) {
    case 'object':
      return object(schema);
    case 'array':
      return array(schema);
    case 'string':
      return string(schema);
    case 'integer':
      return integer(schema);
    case 'boolean':
      return fc.boolean();
  }
}

/** A valid stack of any shape. */
export const anyStack: fc.Arbitrary<InferenceStack> = admittedBy(OBJECT_SCHEMA.properties?.['spec'] ?? {})
  .map((spec) => stackWith(spec as InferenceStackSpec))
  .filter((stack) => validate(stack).valid);

const model = fc.oneof(
  fc.record({ name: admitted('model', 'name') }),
  fc.record({ path: admitted('model', 'path') }),
  fc.record({ image: fc.record({ reference: admitted('model', 'image', 'reference') }) }),
);
const openApplication = fc
  .tuple(admittedBy(schemaAt('applicationTemplate')), fc.constantFrom(...OPEN_ENGINES), model)
  .map(([application, engine, source]) => ({
    ...withoutKeys(application as object, ['readerConfig']),
    engine,
    model: source,
    image: { repository: 'registry.example/own' },
  }));

/** A valid stack of open engines, which the schema alone would give hardly ever. */
export const anyOpenStack: fc.Arbitrary<InferenceStack> = fc
  .tuple(
    fc.dictionary(SPECIAL['applicationNames'] as fc.Arbitrary<string>, openApplication, { minKeys: 1, maxKeys: 4 }),
    admittedBy(schemaAt('gateway')),
  )
  .map(([applications, gateway]) => {
    const spec = { applications, gateway: withoutKeys(gateway as object, ['config', 'kind']) };
    return stackWith(spec as InferenceStackSpec);
  })
  .filter((stack) => validate(stack).valid);

function admitted(...path: readonly string[]): fc.Arbitrary<unknown> {
  return admittedBy(schemaAt('applicationTemplate', ...path));
}

function schemaAt(...path: readonly string[]): Schema {
  return ['spec', ...path].reduce<Schema>((schema, field) => schema.properties?.[field] ?? {}, OBJECT_SCHEMA);
}

function object(schema: Schema): fc.Arbitrary<object> {
  const { properties, additionalProperties, required = [] } = schema;
  if (additionalProperties !== undefined) {
    const keys =
      additionalProperties.properties === undefined ? text : (SPECIAL['applicationNames'] as fc.Arbitrary<string>);
    return fc.dictionary(keys, admittedBy(additionalProperties), { maxKeys: 3, noNullPrototype: true });
  }
  const extra = schema['x-kubernetes-preserve-unknown-fields'] === true ? json.object : fc.constant({});
  const names = Object.keys(properties ?? {});
  const chosen = fc.uniqueArray(fc.constantFrom(...(names.length === 0 ? [''] : names)), { maxLength: MAX_FIELDS });
  const fieldsOf = chosen.chain((fields) => {
    const all = [...new Set([...fields, ...required])].filter((name) => name !== '');
    return fc.record(
      Object.fromEntries(all.map((name) => [name, SPECIAL[name] ?? admittedBy(properties?.[name] ?? {})])),
    );
  });
  return fc.tuple(extra, fieldsOf).map(([open, fields]) => ({ ...withoutKeys(open, names), ...fields }));
}

function withoutKeys(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)));
}

function array({
  items = {},
  maxItems = 3,
  'x-kubernetes-list-map-keys': [key] = [],
}: Schema): fc.Arbitrary<unknown[]> {
  const maxLength = Math.min(maxItems, 3);
  if (key === undefined) return fc.array(admittedBy(items), { maxLength });
  return fc.uniqueArray(admittedBy(items), { maxLength, selector: (item) => (item as Record<string, unknown>)[key] });
}

function string({ enum: values, pattern, minLength = 0, maxLength = Infinity }: Schema): fc.Arbitrary<string> {
  if (values !== undefined) return fc.constantFrom(...values);
  const fits = (value: string): boolean => value.length >= minLength && Array.from(value).length <= maxLength;
  return (pattern === undefined ? text : fc.stringMatching(new RegExp(pattern))).filter(fits);
}

function integer({ minimum = -1000, maximum = 1_000_000 }: Schema): fc.Arbitrary<number> {
  return fc.integer({ min: minimum, max: maximum });
}
