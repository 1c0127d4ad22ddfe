import type { ArgumentFact, EngineSettings, EngineTable } from './table.ts';

/** The arguments that a table gives an engine: all whose setting is set, except those that the user sets in `args`. */
export function engineArguments(
  facts: readonly ArgumentFact[],
  settings: EngineSettings,
  given: readonly string[],
): string[] {
  const theirs = new Set(given.map(flagOf));
  return facts.flatMap((fact) => {
    const { setting, flags } = fact;
    if (setting !== undefined && settings[setting] === undefined) return [];
    if ([...spellingsOf(fact), ...(fact.unless ?? [])].some((flag) => theirs.has(flag))) return [];
    const value = fact.value ?? (setting === undefined ? undefined : settings[setting]);
    return [...flags.slice(0, 1), ...(value === undefined || value === '' ? [] : [value])];
  });
}

/** What the arguments say about a setting of an engine. */
export interface Said {
  /** The flag as it is written there. */
  readonly flag: string;
  readonly value: string | undefined;
}

/** What the arguments say about a setting, in any spelling of any revision; of several, the last, as engines have it. */
export function said(
  { revisions }: EngineTable,
  setting: keyof EngineSettings,
  given: readonly string[],
): Said | undefined {
  const facts = revisions.flatMap((revision) => revision.arguments).filter((fact) => fact.setting === setting);
  const spellings = new Set(facts.flatMap(spellingsOf));
  const index = given.findLastIndex((argument) => spellings.has(flagOf(argument)));
  const argument = given[index];
  if (argument === undefined) return undefined;
  const [flag = '', ...value] = argument.split('=');
  return { flag, value: value.length > 0 ? value.join('=') : given[index + 1] };
}

/** Whether one of the flags is among the arguments. */
export function isSaid(flags: readonly string[], given: readonly string[]): boolean {
  const theirs = new Set(given.map(flagOf));
  return flags.some((flag) => theirs.has(flag));
}

function spellingsOf({ flags, abbreviations = [] }: ArgumentFact): string[] {
  return [...flags, ...abbreviations];
}

/** The flag of `--flag value` or `--flag=value`. vLLM and llama.cpp take `_` for `-` in the long ones. */
function flagOf(argument: string): string {
  const end = argument.indexOf('=');
  const flag = end === -1 ? argument : argument.slice(0, end);
  return flag.startsWith('--') && flag.includes('_') ? flag.replaceAll('_', '-') : flag;
}
