import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ArgumentFact, EngineTable } from '../../../../../packages/render/engines/table.ts';
import { ENGINE_TABLES } from '../../../../../packages/render/engines/tables.ts';

/** The flags of a released server; maintenance/README.md says how they are recorded. */
interface Recorded {
  readonly version: string;
  readonly flags: readonly string[];
  /** Those that take no value. */
  readonly switches: readonly string[];
}

const RECORDS = { vllm: 'vllm', sglang: 'sglang', llamacpp: 'llama-server' } as const;

function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`${name}-flags.json`, import.meta.url), 'utf8')) as Recorded;
}

/** Every argument of every revision of a table, with the number of the revision. */
function argumentsOf({ revisions }: EngineTable): [revision: number, fact: ArgumentFact][] {
  return revisions.flatMap((facts, index) => facts.arguments.map((fact): [number, ArgumentFact] => [index + 1, fact]));
}

/** Whether an argument is a flag alone. */
function isSwitch({ setting, value }: ArgumentFact): boolean {
  return value === '' || (setting === undefined && value === undefined);
}

for (const [engine, record] of Object.entries(RECORDS) as [keyof typeof RECORDS, string][]) {
  const table = ENGINE_TABLES[engine];
  const { version, flags, switches } = recorded(record);

  describe(`the table of ${table.title}, beside ${record} ${version}`, () => {
    it('has no argument that the server does not know, in any spelling', () => {
      const unknown = argumentsOf(table).flatMap(([revision, { flags: own, unless = [] }]) =>
        [...own, ...unless.filter((flag) => !isAbbreviation(flag))]
          .filter((flag) => !flags.includes(flag))
          .map((flag) => `revision ${String(revision)}: ${flag}`),
      );
      assert.deepEqual(unknown, []);
      assert.ok(argumentsOf(table).length > 5);
    });

    it('gives values to flags that take them, and to no other', () => {
      const wrong = argumentsOf(table).filter(([, fact]) => {
        const [flag] = fact.flags;
        return flag !== undefined && switches.includes(flag) !== isSwitch(fact);
      });
      assert.deepEqual(wrong, []);
    });

    it('knows abbreviations that the server can only take for one flag', () => {
      for (const [, { abbreviations = [], unless = [], flags: own }] of argumentsOf(table)) {
        for (const short of abbreviations) assert.ok(own.includes(meant(short) ?? ''), short);
        for (const short of unless.filter(isAbbreviation)) assert.ok(unless.includes(meant(short) ?? ''), short);
      }
    });
  });

  function isAbbreviation(flag: string): boolean {
    return !flags.includes(flag) && meant(flag) !== undefined;
  }

  /** The one flag that begins so. */
  function meant(short: string): string | undefined {
    const candidates = flags.filter((flag) => flag.startsWith(short));
    return candidates.length === 1 ? candidates[0] : undefined;
  }
}

describe('the recorded flags', () => {
  it('are those of the images that stacks of today start with', () => {
    for (const engine of ['vllm', 'sglang'] as const) {
      const tag = ENGINE_TABLES[engine].revisions.at(-1)?.image?.tag;
      assert.equal(tag, `v${recorded(engine).version}`);
    }
  });

  it('are of every engine that gets arguments', () => {
    const engines = Object.values(ENGINE_TABLES).filter((table) => argumentsOf(table).length > 0);
    assert.deepEqual(engines.map(({ engine }) => engine).sort(), Object.keys(RECORDS).sort());
  });
});
