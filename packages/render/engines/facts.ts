import type { FrozenDefaults } from '../../api/types.ts';
import type { EffectiveOpen } from '../effective.ts';
import { chooseRevision, type ChosenRevision } from './revision.ts';
import { factsOf, newestRevision, type EngineFacts, type EngineTable } from './table.ts';
import { ENGINE_TABLES } from './tables.ts';

/** What is known of an application's engine, in the revision that counts for it. */
export interface KnownEngine extends ChosenRevision {
  readonly table: EngineTable;
  readonly facts: EngineFacts;
}

export function knownEngine(
  { engine, engineRevision }: Pick<EffectiveOpen, 'engine' | 'engineRevision'>,
  defaults: Pick<FrozenDefaults, 'revisions'>,
): KnownEngine {
  const table = ENGINE_TABLES[engine];
  const chosen = chooseRevision(engine, newestRevision(table), engineRevision, defaults);
  return { ...chosen, table, facts: factsOf(table.revisions, chosen.revision) };
}
