import { boundProblems } from './bounds.ts';
import { GROUP, INFERENCE_STACK, OPERATOR_VERSION_LABEL, STACK_KINDS, VERSIONS } from './constants.ts';
import type { Problem } from '../lib/problem.ts';
import { pruneNulls, structuralProblems } from './structural.ts';
import { ruleProblems } from './rule-problems.ts';
import type { InferenceStack } from './types.ts';
import { OBJECT_SCHEMA } from './schema.gen.ts';
import { annotationProblems, DNS_LABEL, DNS_SUBDOMAIN, formProblems, labelProblems } from './text-forms.ts';
import { valueAt, isObject } from '../lib/json.ts';

/** What an object turns out to be: a stack that can be rendered, or everything that is wrong with it. */
export type Validated =
  | { readonly valid: true; readonly stack: InferenceStack }
  | { readonly valid: false; readonly problems: readonly Problem[] };

const NO_TEXT = { message: 'must be of type string', remedy: 'Write it in quotes.' };

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
  const { name, namespace } = (metadata ?? {}) as { name?: unknown; namespace?: unknown };
  const problems: Problem[] = [];
  const apiVersions = VERSIONS.map((version) => `${GROUP}/${version}`);
  if (!apiVersions.includes(String(apiVersion))) {
    problems.push({
      path: 'apiVersion',
      value: apiVersion,
      message: `must be ${apiVersions.join(' or ')}`,
      remedy: 'Write the newest, the last of them.',
    });
  }
  if (!STACK_KINDS.includes(String(kind))) {
    problems.push({
      path: 'kind',
      value: kind,
      message: `must be ${STACK_KINDS.join(' or ')}`,
      remedy: `Write ${INFERENCE_STACK.kind}.`,
    });
  }
  if (name === undefined)
    problems.push({ path: 'metadata.name', message: 'is required', remedy: 'Give the stack a name.' });
  else if (typeof name !== 'string') problems.push({ path: 'metadata.name', value: name, ...NO_TEXT });
  else problems.push(...formProblems(name, 'metadata.name', DNS_SUBDOMAIN));
  if (namespace !== undefined && typeof namespace !== 'string') {
    problems.push({ path: 'metadata.namespace', value: namespace, ...NO_TEXT });
  }
  return [
    ...problems,
    ...formProblems(namespace, 'metadata.namespace', DNS_LABEL),
    ...['labels', 'annotations'].flatMap((field) => textMapProblems(metadata, field)),
    ...labelProblems(valueAt(metadata, 'labels'), 'metadata.labels', [OPERATOR_VERSION_LABEL]),
    ...annotationProblems(valueAt(metadata, 'annotations'), 'metadata.annotations'),
  ];
}

/** YAML takes `operatorVersion: 2` for a number, which the API server refuses in words that few understand. */
function textMapProblems(metadata: unknown, field: string): Problem[] {
  const map = isObject(metadata) ? metadata[field] : undefined;
  return Object.entries(isObject(map) ? map : {})
    .filter(([, value]) => typeof value !== 'string' && value !== null)
    .map(([key, value]) => {
      const path = `metadata.${field}.${key}`;
      return { path, value, ...NO_TEXT };
    });
}

function nameOf(object: unknown): string {
  const { kind, metadata } = (object ?? {}) as Partial<InferenceStack>;
  const name = [metadata?.namespace, metadata?.name].filter((part) => typeof part === 'string').join('/');
  return [typeof kind === 'string' ? kind : 'object', name].filter((part) => part !== '').join(' ');
}
