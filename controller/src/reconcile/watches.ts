import yaml from 'js-yaml';
import { GROUP, INFERENCE_STACK, MODEL_ORCHESTRA, VERSIONS } from '../api/constants.ts';
import { refuse, type Problem } from '../problem.ts';
import type { ResourceType } from '../runtime/object.ts';

/** One kind that the operator serves. */
export interface Watch {
  readonly type: ResourceType;
  /** A label selector that a stack must match besides naming this operator. */
  readonly selector?: string;
  /** Served where the cluster has the kind; without it the operator works all the same. */
  readonly optional?: boolean;
}

const KINDS = [INFERENCE_STACK, MODEL_ORCHESTRA];

/** Reads watches.yaml: a list of `version`, `kind`, and optionally `group`, `selector` and `optional`. */
export function parseWatches(text: string, file: string): Watch[] {
  const entries = yaml.load(text);
  const problems: Problem[] = [];
  const watches: Watch[] = [];
  if (!Array.isArray(entries) || entries.length === 0) {
    refuse([{ object: file, path: '', message: 'must be a list with an entry for each kind to serve' }]);
    return watches;
  }
  for (const [index, entry] of (entries as unknown[]).entries()) {
    const { group = GROUP, version, kind, selector, optional = false } = (entry ?? {}) as Record<string, unknown>;
    const problem = (field: string, value: unknown, message: string): number =>
      problems.push({ object: file, path: `[${index}].${field}`, value, message });
    const names = KINDS.find((candidate) => candidate.kind === kind);
    if (names === undefined) problem('kind', kind, `must be ${KINDS.map((known) => known.kind).join(' or ')}`);
    if (group !== GROUP) problem('group', group, `must be ${GROUP}`);
    const known = VERSIONS.find((candidate) => candidate === version);
    if (known === undefined) problem('version', version, `must be ${VERSIONS.join(' or ')}`);
    if (selector !== undefined && typeof selector !== 'string') problem('selector', selector, 'must be a string');
    if (typeof optional !== 'boolean') problem('optional', optional, 'must be true or false');
    if (names === undefined || known === undefined) continue;
    watches.push({
      type: { group: GROUP, version: known, kind: names.kind, plural: names.plural, namespaced: true },
      ...(typeof selector === 'string' ? { selector } : {}),
      ...(optional === true ? { optional } : {}),
    });
  }
  refuse(problems);
  return watches;
}
