import { GROUP, INFERENCE_STACK, MODEL_ORCHESTRA, VERSIONS } from '../../../packages/api/constants.ts';
import { objectAt } from '../../../packages/lib/json.ts';
import { refuse, type Problem } from '../../../packages/lib/problem.ts';
import { readYaml } from '../../../packages/lib/read-yaml.ts';
import type { LabelSelector } from '../../../packages/kube/label-selector.ts';
import type { ResourceType } from '../../../packages/kube/object.ts';
import { stackType } from '../../../packages/api/kinds.ts';

/** One kind that the operator serves. */
export interface Watch {
  readonly type: ResourceType;
  /** What a stack's labels must match besides naming this operator. */
  readonly selector?: LabelSelector;
  /** Served where the cluster has the kind; without it the operator works all the same. */
  readonly optional?: boolean;
}

const KINDS = [INFERENCE_STACK, MODEL_ORCHESTRA];

/** Reads watches.yaml: a list of `version`, `kind`, and optionally `group`, `selector` and `optional`. */
export function parseWatches(text: string, file: string): Watch[] {
  const entries = readYaml(text, file);
  const problems: Problem[] = [];
  const watches: Watch[] = [];
  if (!Array.isArray(entries) || entries.length === 0) {
    refuse([{ object: file, path: '', message: 'must be a list with an entry for each kind to serve' }]);
    return watches;
  }
  for (const [index, entry] of (entries as unknown[]).entries()) {
    const { group = GROUP, version, kind, selector, optional = false } = objectAt(entry);
    const problem = (field: string, value: unknown, message: string): number =>
      problems.push({ object: file, path: `[${index}].${field}`, value, message });
    const names = KINDS.find((candidate) => candidate.kind === kind);
    if (names === undefined) problem('kind', kind, `must be ${KINDS.map((known) => known.kind).join(' or ')}`);
    if (group !== GROUP) problem('group', group, `must be ${GROUP}`);
    const known = VERSIONS.find((candidate) => candidate === version);
    if (known === undefined) problem('version', version, `must be ${VERSIONS.join(' or ')}`);
    if (selector !== undefined && !isSelector(selector)) {
      problem('selector', selector, 'must be a label selector: matchLabels, matchExpressions, or both');
    }
    if (typeof optional !== 'boolean') problem('optional', optional, 'must be true or false');
    if (watches.some(({ type }) => type.kind === kind)) problem('kind', kind, 'has an entry already');
    if (names === undefined || known === undefined) continue;
    watches.push({
      type: stackType(names, known),
      ...(isSelector(selector) ? { selector } : {}),
      ...(optional === true ? { optional } : {}),
    });
  }
  refuse(problems);
  return watches;
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function isSelector(value: unknown): value is LabelSelector {
  if (typeof value !== 'object' || value === null) return false;
  const { matchLabels = {}, matchExpressions = [], ...rest } = value as Record<string, unknown>;
  return (
    Object.keys(rest).length === 0 &&
    typeof matchLabels === 'object' &&
    Object.values(matchLabels ?? {}).every((label) => typeof label === 'string') &&
    Array.isArray(matchExpressions) &&
    matchExpressions.every(isRequirement)
  );
}

function isRequirement(value: unknown): boolean {
  const { key, operator, values = [] } = objectAt(value);
  return typeof key === 'string' && OPERATORS.includes(String(operator)) && Array.isArray(values);
}
