import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ENGINE_TABLES } from '../../../../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS } from '../../../../../packages/render/onwards/table.ts';

/** By table, the hash of each revision that stacks may have started with. */
const RECORDED = new URL('revisions.recorded.json', import.meta.url);

describe('a revision of a table', () => {
  const tables = Object.entries(ENGINE_TABLES).map(([engine, { revisions }]) => [engine, revisions] as const);
  const all: readonly (readonly [string, readonly object[]])[] = [...tables, ['onwards', ONWARDS_REVISIONS]];

  it('never changes once stacks may keep it: what changes is a new revision behind it', () => {
    const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, string[]>;
    const now = Object.fromEntries(
      all.map(([name, revisions]) => [
        name,
        revisions.map((facts) => hash('sha256', JSON.stringify(facts)).slice(0, 16)),
      ]),
    );
    assert.deepEqual(now, recorded);
  });
});
