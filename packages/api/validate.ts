import { boundProblems } from './bounds.ts';
import { GROUP, STACK_KINDS, VERSIONS } from './constants.ts';
import type { Problem } from '../lib/problem.ts';
import { pruneNulls, structuralProblems } from './structural.ts';
import { ruleProblems } from './rule-problems.ts';
import type { InferenceStack } from './types.ts';
import { OBJECT_SCHEMA } from './schema.gen.ts';
import { valueAt, isObject } from '../lib/json.ts';

/** What an object turns out to be: a stack that can be rendered, or everything that is wrong with it. */
export type Validated =
  | { readonly valid: true; readonly stack: InferenceStack }
  | { readonly valid: false; readonly problems: readonly Problem[] };

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME_LIMIT = 253;

/** Checks an object as the API server would: first its structure, then, if that is sound, its rules. An object that is too large is not checked further. */
export function validate(object: unknown): Validated {
  const { excess, inexact } = boundProblems(valueAt(object, 'spec'));
  if (excess.length > 0) return invalid(object, excess);
  const pruned = pruneNulls(OBJECT_SCHEMA, object);
  const structural = [...identityProblems(object), ...structuralProblems(OBJECT_SCHEMA, pruned), ...inexact];
  const problems = structural.length > 0 ? structural : ruleProblems(OBJECT_SCHEMA, pruned);
  if (problems.length === 0) return { valid: true, stack: object as InferenceStack };
  return invalid(object, problems);
}

function invalid(object: unknown, problems: readonly Problem[]): Validated {
  return { valid: false, problems: problems.map((problem) => ({ object: nameOf(object), ...problem })) };
}

function identityProblems(object: unknown): Problem[] {
  const { apiVersion, kind, metadata } = (object ?? {}) as Partial<Record<string, unknown>>;
  const { name } = (metadata ?? {}) as { name?: unknown };
  const problems: Problem[] = [];
  const apiVersions = VERSIONS.map((version) => `${GROUP}/${version}`);
  if (!apiVersions.includes(String(apiVersion))) {
    problems.push({ path: 'apiVersion', value: apiVersion, message: `must be ${apiVersions.join(' or ')}` });
  }
  if (!STACK_KINDS.includes(String(kind))) {
    problems.push({ path: 'kind', value: kind, message: `must be ${STACK_KINDS.join(' or ')}` });
  }
  if (name === undefined) problems.push({ path: 'metadata.name', message: 'is required' });
  else if (typeof name !== 'string' || name.length > NAME_LIMIT || !NAME.test(name)) {
    const message = "must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit";
    problems.push({ path: 'metadata.name', value: name, message });
  }
  return [...problems, ...['labels', 'annotations'].flatMap((field) => textMapProblems(metadata, field))];
}

/** YAML takes `operatorVersion: 2` for a number, which the API server refuses in words that few understand. */
function textMapProblems(metadata: unknown, field: string): Problem[] {
  const map = isObject(metadata) ? metadata[field] : undefined;
  return Object.entries(isObject(map) ? map : {})
    .filter(([, value]) => typeof value !== 'string' && value !== null)
    .map(([key, value]) => {
      const path = `metadata.${field}.${key}`;
      return { path, value, message: 'must be of type string', remedy: 'Write it in quotes.' };
    });
}

function nameOf(object: unknown): string {
  const { kind, metadata } = (object ?? {}) as Partial<InferenceStack>;
  const name = [metadata?.namespace, metadata?.name].filter((part) => typeof part === 'string').join('/');
  return [typeof kind === 'string' ? kind : 'object', name].filter((part) => part !== '').join(' ');
}
