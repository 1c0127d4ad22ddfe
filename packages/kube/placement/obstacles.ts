import { ownValue } from '../../lib/values.ts';
import { names, sentences } from '../../lib/message.ts';
import { repels, requirementsOf, satisfying, selected, withLabel, type Check } from './match.ts';
import type { NodeIndex } from './node-index.ts';
import type { BitSet } from './bit-set.ts';
import type { Placement, Term } from './placement.ts';

/** Room for the values of one label in a sentence about many things. */
const VALUES_LIMIT = 60;

/** Which label that a pod asks for no node of a set has, and which values they have instead: it may be misspelt. */
export function lacking(index: NodeIndex, placement: Placement, among: BitSet): string | undefined {
  const [wanted, key] = wantedInVain(index, placement, among) ?? [];
  if (wanted === undefined || key === undefined) return undefined;
  const values = new Set<string>();
  for (const position of among.positions()) {
    const value = ownValue(index.items[position]?.labels ?? {}, key);
    if (value !== undefined) values.add(value);
  }
  if (values.size === 0) return undefined;
  if (values.size > MOST_VALUES) return `has ${wanted}; nodes have ${values.size} other values of it`;
  const present = [...values].sort().map((value) => `${key}=${value}`);
  return `has ${wanted}; nodes have ${names(present)}`;
}

/** More values of one label tell nobody which one was meant. */
const MOST_VALUES = 20;

/** The label that a pod wants and no node of a set has, and its key. */
function wantedInVain(index: NodeIndex, placement: Placement, among: BitSet): [string, string] | undefined {
  for (const [key, value] of Object.entries(placement.nodeSelector ?? {})) {
    if (among.copy().keepOnly(withLabel(index, key, value)).isEmpty) return [`the label ${key}=${value}`, key];
  }
  const vain = (placement.terms ?? []).map((term) => neverHolding(index, term, among));
  const [first] = vain;
  if (first === undefined || first.field === true || vain.includes(undefined)) return undefined;
  return [names([...new Set(vain.map((check) => describe(check)))]), first.key];
}

/** The requirement of a term that holds of no node of a set. */
function neverHolding(index: NodeIndex, term: Term, among: BitSet): Check | undefined {
  return requirementsOf(term).find((check) => among.copy().keepOnly(satisfying(index, check)).isEmpty);
}

/** How many nodes of a set keep a pod away for which reason. Each node counts once, with its first reason. */
export function obstacles(index: NodeIndex, placement: Placement, among: BitSet): ReadonlyMap<string, number> {
  const left = among.copy();
  const found = new Map<string, number>();
  const strike = (nodes: BitSet, reason: string): void => {
    const struck = left.copy().keepOnly(nodes).size;
    if (struck > 0) found.set(reason, (found.get(reason) ?? 0) + struck);
    left.removeAll(nodes);
  };
  for (const [key, value] of Object.entries(placement.nodeSelector ?? {})) {
    strike(left.copy().removeAll(withLabel(index, key, value)), `lacks the label ${key}=${value}`);
  }
  strikeByAffinity(index, placement, left, strike);
  for (const { taints, nodes } of index.tainted) {
    const taint = taints.find((candidate) => repels(candidate, placement.tolerations ?? []));
    if (taint === undefined) continue;
    strike(nodes, `has the taint ${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`);
  }
  strike(index.cordoned, 'is cordoned');
  strike(index.all.copy().removeAll(index.ready), 'is not ready');
  return found;
}

function strikeByAffinity(
  index: NodeIndex,
  { terms = [] }: Placement,
  left: BitSet,
  strike: (nodes: BitSet, reason: string) => void,
): void {
  const [term, ...alternatives] = terms;
  if (term === undefined) return;
  const checks = requirementsOf(term);
  if (alternatives.length > 0 || checks.length === 0) {
    strike(left.copy().removeAll(selected(index, { terms })), `lacks ${describeTerms(index, terms, left)}`);
    return;
  }
  for (const check of checks) strike(left.copy().removeAll(satisfying(index, check)), `lacks ${describe(check)}`);
}

/** What one requirement of each term says, if there is one that holds of no node. */
function describeTerms(index: NodeIndex, terms: readonly Term[], among: BitSet): string {
  const failing = terms.map((term) => neverHolding(index, term, among));
  const described = failing.flatMap((check) => (check === undefined ? [] : describe(check)));
  if (terms.length === 1 || described.length < terms.length) return 'what the node affinity requires';
  return `all of ${names(described)}`;
}

function describe(check: Check | undefined): string {
  const { key = '', operator = '', values = [] } = check ?? {};
  if (operator === 'In') return `the label ${key}=${anyOf(values)}`;
  if (operator === 'Gt' || operator === 'Lt')
    return `a label ${key} ${operator === 'Gt' ? '>' : '<'} ${values[0] ?? ''}`;
  return `${key} ${operator} ${anyOf(values)}`.trim();
}

function anyOf(values: readonly string[]): string {
  return values.length > 1 ? `(${names(values, VALUES_LIMIT)})` : values.join('');
}

/** The groups of nodes in a sentence, the largest first. */
export function describeObstacles(found: ReadonlyMap<string, number>, room: number): string {
  const groups = [...found]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${count} ${count === 1 ? 'node' : 'nodes, each'} ${reason}`);
  return sentences(groups, room);
}
