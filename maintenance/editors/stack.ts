import { GROUP, STACK_KINDS, VERSIONS } from '../../packages/api/constants.ts';
import { OPERATOR_REQUEST } from '../../packages/api/operator-version.ts';
import { patternMessage } from '../../packages/api/patterns.ts';
import { OBJECT_SCHEMA } from '../../packages/api/schema.gen.ts';
import type { Schema } from '../../packages/api/schema.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { POD_PARTS } from '../../packages/render/judge/schemas.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const LABEL = {
  description: 'Which operator serves the stack: a major such as v3, or a least version such as 3.1 in quotes.',
  type: 'string',
  pattern: OPERATOR_REQUEST,
  patternErrorMessage: 'must be a major such as v3, or a least version such as 3.1 or 3.1.2',
};

/**
 * What editors know of an InferenceStack: the schema of the CRD, and in the parts that it leaves open the fields that `fleet explain`
 * knows. Rules over several fields are for `fleet explain` and the API server.
 */
export function stackSchema(): JsonSchema {
  const { spec = {} } = OBJECT_SCHEMA.properties ?? {};
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'InferenceStack',
    description: 'Models behind one gateway.',
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      apiVersion: { enum: VERSIONS.map((version) => `${GROUP}/${version}`) },
      kind: { enum: STACK_KINDS },
      metadata: {
        type: 'object',
        required: ['name', 'labels'],
        properties: {
          name: { description: 'Name of the stack.', type: 'string', maxLength: 63 },
          namespace: { type: 'string', maxLength: 63 },
          labels: {
            type: 'object',
            required: ['operatorVersion'],
            properties: { operatorVersion: LABEL },
            additionalProperties: { type: 'string' },
          },
          annotations: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      spec: convert(spec),
      status: { description: 'Written by the operator.' },
    },
    additionalProperties: false,
  };
}

function convert(schema: Schema): JsonSchema {
  const { description, type, properties, items, additionalProperties, required } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) {
    const { minimum, maximum } = schema;
    return definedOnly({ description, anyOf: [definedOnly({ type: 'integer', minimum, maximum }), texts(schema)] });
  }
  const { minimum, maximum, maxItems, maxProperties } = schema;
  return definedOnly({
    description,
    type: schema.nullable === true && type !== undefined ? [type, 'null'] : type,
    ...(type === 'string' ? texts(schema) : {}),
    enum: schema.enum,
    minimum,
    maximum,
    maxItems,
    maxProperties,
    required: required === undefined || required.length === 0 ? undefined : required,
    properties: properties === undefined ? undefined : convertAll(properties),
    items: items === undefined ? undefined : convert(items),
    additionalProperties: type === 'object' ? others(schema, additionalProperties) : undefined,
  });
}

function others(schema: Schema, additionalProperties: Schema | undefined): JsonSchema | boolean {
  if (additionalProperties !== undefined) return convert(additionalProperties);
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.properties === undefined;
}

function texts(schema: Schema): JsonSchema {
  const { pattern, minLength, maxLength } = schema;
  const patternErrorMessage = pattern === undefined ? undefined : patternMessage(schema);
  return definedOnly({ type: 'string', pattern, patternErrorMessage, minLength, maxLength });
}

/** Fields of a gateway, an application or something else. The parts of pods get the fields that the CRD leaves out. */
function convertAll(properties: Readonly<Record<string, Schema>>): JsonSchema {
  const isPod = 'tolerations' in properties && 'resources' in properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const part = isPod ? POD_PARTS[name] : undefined;
      return [
        name,
        part === undefined ? convert(schema) : { ...convert(opened(part)), description: schema.description },
      ];
    }),
  );
}

/** An application may write a part of a map, and the template the rest, so nothing in a map is required by itself. */
function opened(part: Schema): Schema {
  if (part.type !== 'object') return part;
  const properties = Object.entries(part.properties ?? {}).map(([name, schema]) => [name, opened(schema)] as const);
  return part.properties === undefined ? part : { ...part, required: [], properties: Object.fromEntries(properties) };
}
