import { isObject } from '../../packages/lib/values.ts';
import type { Json, JsonObject } from './fbc.ts';

/* Lenient readers for objects of unknown shape: what is missing or of another type reads as empty. */

export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

export function objectAt(value: Json, key: string): JsonObject {
  const member = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}

export function listAt(value: Json, key: string): readonly Json[] {
  const member = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? (member as readonly Json[]) : [];
}

export function textAt(value: Json, key: string): string {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : '';
}
