import type { LabelRequirement } from '../label-selector.ts';
import type { Taint } from './node-view.ts';
import type { LabelIndex, Labelled } from './label-index.ts';
import type { NodeIndex } from './node-index.ts';
import type { BitSet } from './bit-set.ts';
import type { Placement, Term, Toleration } from './placement.ts';

/** The nodes that a pod may run on, as the scheduler would decide it. */
export function matching(index: NodeIndex, placement: Placement): BitSet {
  const set = selected(index, placement);
  for (const { taints, nodes } of index.tainted) {
    if (taints.some((taint) => repels(taint, placement.tolerations ?? []))) set.removeAll(nodes);
  }
  return set.removeAll(index.cordoned).keepOnly(index.ready);
}

/** Of nodes, or of whatever else has labels. */
type Index = LabelIndex<{ readonly labels: Readonly<Record<string, string>> }> & Partial<Pick<NodeIndex, 'field'>>;

/** Those whose labels and names match. */
export function selected(index: Index, { nodeSelector = {}, terms = [] }: Placement): BitSet {
  const set = index.all.copy();
  for (const [key, value] of Object.entries(nodeSelector)) set.keepOnly(withLabel(index, key, value));
  if (terms.length === 0 || set.isEmpty) return set;
  const inAnyTerm = index.nothing.copy();
  for (const term of terms) inAnyTerm.addAll(inTerm(index, term));
  return set.keepOnly(inAnyTerm);
}

export function withLabel(index: Index, key: string, value: string): BitSet {
  return index.labelled(key).byValue.get(value) ?? index.nothing;
}

/** All requirements of a term must hold; an empty term matches nothing. */
function inTerm(index: Index, term: Term): BitSet {
  const [first, ...others] = requirementsOf(term).map((check) => satisfying(index, check));
  if (first === undefined || others.length === 0) return first ?? index.nothing;
  const set = first.copy();
  for (const nodes of others) set.keepOnly(nodes);
  return set;
}

/** A requirement of a node's labels, or of one of its fields. */
export interface Check extends LabelRequirement {
  readonly field?: boolean;
}

export function requirementsOf({ matchExpressions = [], matchFields = [] }: Term): readonly Check[] {
  if (matchFields.length === 0) return matchExpressions;
  return [...matchExpressions, ...matchFields.map((requirement) => ({ ...requirement, field: true }))];
}

/** Those that meet a requirement. Do not change the set: it may be the index's own. */
export function satisfying(index: Index, { key, operator, values = [], field }: Check): BitSet {
  const labelled = field === true ? (index.field?.(key) ?? index.nowhere) : index.labelled(key);
  switch (operator) {
    case 'In':
      return withValues(index, labelled, values);
    case 'NotIn':
      return index.all.copy().removeAll(withValues(index, labelled, values));
    case 'Exists':
      return labelled.any;
    case 'DoesNotExist':
      return index.all.copy().removeAll(labelled.any);
    case 'Lt':
      return upTo(index, labelled, Number(values[0]) - 1);
    case 'Gt':
      return above(index, labelled, Number(values[0]));
    default:
      // The API server admits no other operator.
      return index.nothing;
  }
}

function withValues(index: Index, { byValue }: Labelled, values: readonly string[]): BitSet {
  const [only = ''] = values;
  if (values.length === 1) return byValue.get(only) ?? index.nothing;
  const union = index.nothing.copy();
  for (const value of values) union.addAll(byValue.get(value) ?? index.nothing);
  return union;
}

/** Those whose value is a number above this one. */
function above(index: Index, labelled: Labelled, limit: number): BitSet {
  if (Number.isNaN(limit)) return index.nothing;
  return upTo(index, labelled, Infinity)
    .copy()
    .removeAll(upTo(index, labelled, limit));
}

/** Those whose value is a number up to this one. */
function upTo(index: Index, { ascending }: Labelled, limit: number): BitSet {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle]?.number ?? NaN) <= limit) from = middle + 1;
    else to = middle;
  }
  return ascending[from - 1]?.upTo ?? index.nothing;
}

export function repels(taint: Taint, tolerations: readonly Toleration[]): boolean {
  if (taint.effect === 'PreferNoSchedule') return false;
  return !tolerations.some(
    ({ key = '', operator = 'Equal', value = '', effect = '' }) =>
      (effect === '' || effect === taint.effect) &&
      (key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
}
