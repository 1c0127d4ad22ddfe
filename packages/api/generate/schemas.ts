import type { Rule } from '../rule.ts';
import { RULES } from '../rules.ts';
import type { Schema, Validation } from '../schema.ts';
import { bounded } from './bounds.ts';
import { type Decorate, schemaOfInterface } from './schema-of-type.ts';
import type { Source } from './source.ts';

/** The schema of a whole object: identical in every version, so that no write through one loses what another knows. */
export function objectSchema(source: Source): Schema {
  const spec = bounded(schemaOfInterface(source, 'InferenceStackSpec', decorate));
  // The status has one writer at a time, who writes it whole. Without this, the API server would keep a list of all its fields,
  // almost as long as the status, and compare both at every write.
  const status: Schema = {
    ...schemaOfInterface(source, 'InferenceStackStatus', decorate),
    'x-kubernetes-map-type': 'atomic',
  };
  return decorate('InferenceStack', {
    type: 'object',
    description: 'Models behind one gateway. The label operatorVersion chooses the operator that serves the stack.',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of this API.' },
      kind: { type: 'string', description: 'Kind of the object.' },
      metadata: { type: 'object' },
      spec,
      status,
    },
  });
}

const decorate: Decorate = (name, schema) => {
  const rules = RULES.filter(({ on }) => on === name);
  const validations = rules.map(validation);
  const decorated = validations.length === 0 ? schema : { ...schema, 'x-kubernetes-validations': validations };
  return name === 'InferenceStackSpec.applications' ? withNullableEntries(decorated) : decorated;
};

function validation({ cel, message, field }: Rule): Validation {
  return { rule: cel, message, ...(field === undefined ? {} : { fieldPath: `.${field}` }) };
}

/** The API server drops nulls where they are not allowed. An application must not vanish like that: a rule refuses it. */
function withNullableEntries(schema: Schema): Schema {
  return { ...schema, additionalProperties: { ...schema.additionalProperties, nullable: true } };
}
