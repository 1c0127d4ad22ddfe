import type { ArgumentFact, EngineSettings } from './table.ts';

/** The arguments that a table gives an engine: all whose setting is set, except those that the user sets in `args`. */
export function engineArguments(
  facts: readonly ArgumentFact[],
  settings: EngineSettings,
  given: readonly string[],
): string[] {
  return facts.flatMap((fact) => {
    const { setting, flags } = fact;
    if (setting !== undefined && settings[setting] === undefined) return [];
    if (flags.some((flag) => isGiven(flag, given))) return [];
    const value = fact.value ?? (setting === undefined ? undefined : settings[setting]);
    return [...flags.slice(0, 1), ...(value === undefined || value === '' ? [] : [value])];
  });
}

/** Whether a flag is among the arguments, as `--flag value` or `--flag=value`. */
export function isGiven(flag: string, given: readonly string[]): boolean {
  return given.some((argument) => argument === flag || argument.startsWith(`${flag}=`));
}
