import { names } from '../../message.ts';
import { REQUIRED } from '../../render/gpu.ts';
import { holds, type LabelRequirement } from '../../runtime/label-selector.ts';
import type { NodeView, Taint } from '../node-view.ts';

/** The part of a pod's spec that decides on which nodes it may run. */
export interface Placement {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: { readonly nodeAffinity?: { readonly [REQUIRED]?: NodeSelector } };
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

interface NodeSelector {
  readonly nodeSelectorTerms?: readonly Term[];
}

export interface Term {
  readonly matchExpressions?: readonly LabelRequirement[];
  readonly matchFields?: readonly LabelRequirement[];
}

/** Room for the values of one label in a sentence about many things. */
const VALUES_LIMIT = 60;

/** Why a pod may not run on a node, as the scheduler would decide it; nothing when it may. */
export function mismatch(node: NodeView, placement: Placement): string | undefined {
  for (const [key, value] of Object.entries(placement.nodeSelector ?? {})) {
    if (node.labels[key] !== value) return `lacks the label ${key}=${value}`;
  }
  const terms = placement.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  if (terms.length > 0) {
    const failures = terms.map((term) => failedRequirement(node, term));
    if (failures.every((failure) => failure !== undefined))
      return `lacks ${failures.length > 1 ? 'all of ' : ''}${names(failures)}`;
  }
  const taint = node.taints.find((candidate) => repels(candidate, placement.tolerations ?? []));
  if (taint !== undefined) return `has the taint ${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`;
  if (node.cordoned) return 'is cordoned';
  return node.ready ? undefined : 'is not ready';
}

/** The first requirement of a term that does not hold; an empty term matches nothing. */
function failedRequirement(node: NodeView, term: Term): string | undefined {
  const fields = term.matchFields ?? [];
  const expressions = term.matchExpressions ?? [];
  if (fields.length + expressions.length === 0) return 'an affinity term that is not empty';
  const failed =
    expressions.find((requirement) => !holds(node.labels[requirement.key], requirement)) ??
    fields.find((requirement) => !holds(requirement.key === 'metadata.name' ? node.name : undefined, requirement));
  return failed === undefined ? undefined : describe(failed);
}

function describe({ key, operator, values = [] }: LabelRequirement): string {
  if (operator === 'In') return `the label ${key}=${anyOf(values)}`;
  if (operator === 'Gt' || operator === 'Lt')
    return `a label ${key} ${operator === 'Gt' ? '>' : '<'} ${values[0] ?? ''}`;
  return `${key} ${operator} ${anyOf(values)}`.trim();
}

function anyOf(values: readonly string[]): string {
  return values.length > 1 ? `(${names(values, VALUES_LIMIT)})` : values.join('');
}

function repels(taint: Taint, tolerations: readonly Toleration[]): boolean {
  if (taint.effect === 'PreferNoSchedule') return false;
  return !tolerations.some(
    ({ key = '', operator = 'Equal', value = '', effect = '' }) =>
      (effect === '' || effect === taint.effect) &&
      (key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
}
