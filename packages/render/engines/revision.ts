import type { Application, FrozenDefaults } from '../../api/types.ts';
import type { KeptRevision } from '../model.ts';

/** Which revision of a table is used, and whether the stack keeps it. */
export interface ChosenRevision {
  readonly revision: number;
  readonly kept?: KeptRevision;
}

/**
 * The revision that the spec names, else the one that the stack started with, else the newest, which it keeps from then on. A stack may
 * come from a newer operator: what this one does not know is the newest that it knows, for as long as it serves the stack.
 */
export function chooseRevision(
  table: string,
  newest: number,
  asked: Application['engineRevision'],
  { revisions = {} }: Pick<FrozenDefaults, 'revisions'>,
): ChosenRevision {
  if (asked === 'operator') return { revision: newest };
  if (asked !== undefined) return { revision: Math.min(Number(asked), newest) };
  const revision = revisions[table] ?? newest;
  return { revision: Math.max(1, Math.min(revision, newest)), kept: { table, revision } };
}
