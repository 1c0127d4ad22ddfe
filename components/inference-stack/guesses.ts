import * as pulumi from '@pulumi/pulumi';
import { createHash } from 'node:crypto';
import { OBJECT_SCHEMA } from '../../packages/api/schema.gen.ts';
import type { Schema } from '../../packages/api/schema.ts';
import { structuralProblems } from '../../packages/api/structural.ts';
import { isObject, type OpenObject } from '../../packages/lib/json.ts';
import { ownValue, setOwn } from '../../packages/lib/values.ts';

const WAYS = ['absent', 'low', 'high'] as const;
type Way = (typeof WAYS)[number];

/**
 * Completions of a stack with unknown values, as different as the schema allows. What holds for all of them does not
 * depend on the unknown values.
 */
export function guesses(stack: unknown): readonly unknown[] {
  return pulumi.containsUnknowns(stack) ? WAYS.map((way) => guess(stack, OBJECT_SCHEMA, way, '')) : [stack];
}

function guess(value: unknown, schema: Schema, way: Way, path: string): unknown {
  if (pulumi.isUnknown(value)) return stranger(schema, way, path);
  if (Array.isArray(value)) {
    return value.map((item, index) => guess(item, schema.items ?? {}, way, `${path}-${String(index)}`));
  }
  if (!isObject(value)) return value;
  const result: OpenObject = {};
  for (const [key, field] of Object.entries(value)) {
    if (way === 'absent' && pulumi.isUnknown(field) && schema.required?.includes(key) !== true) continue;
    const fieldSchema = ownValue(schema.properties ?? {}, key) ?? schema.additionalProperties ?? {};
    setOwn(result, key, guess(field, fieldSchema, way, `${path}-${key}`));
  }
  return result;
}

const LARGEST = 2 ** 31 - 1;

function stranger(schema: Schema, way: Way, path: string): unknown {
  const isHigh = way === 'high';
  switch (schema.type) {
    case 'integer':
      return isHigh ? (schema.maximum ?? LARGEST) : (schema.minimum ?? 0);
    case 'boolean':
      return isHigh;
    case 'object':
      return {};
    case 'array':
      return isHigh ? [stranger(schema.items ?? {}, way, path)] : [];
    default:
      return schema.enum?.at(isHigh ? -1 : 0) ?? word(schema, `${way}${path}`);
  }
}

/** A text that the schema accepts, if one is found: the rules are not checked while the structure is wrong. */
function word(schema: Schema, key: string): string {
  // Two unknown values are not the same.
  const unique = `x${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
  return [unique, '1', '1Gi'].find((text) => structuralProblems(schema, text).length === 0) ?? unique;
}
